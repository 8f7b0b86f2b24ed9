//! Correction history: how far the evaluation of positions with certain levels was off,
//! by what their searches found. The evaluation of others with these levels is
//! corrected by it. Chess engines take the pawns for the levels: Caissa was the first, in
//! 2023.

use crate::rules::Position;

use super::history::player;

/// The values of a player; positions share them by a hash of their levels.
const SIZE: usize = 1 << SIZE_BITS;
const SIZE_BITS: u32 = 14;
/// The bound of a value.
const MAX: i32 = 1024;
/// The most that one search moves a value.
const MAX_BONUS: i32 = MAX / 4;
/// A value times a weight is divided by this.
const SCALE: i32 = 512;

/// The corrections of one thread, by the player to move and the levels.
pub struct Corrections([Box<[i16; SIZE]>; 2]);

impl Default for Corrections {
    fn default() -> Self {
        Self([Box::new([0; SIZE]), Box::new([0; SIZE])])
    }
}

impl Corrections {
    /// What to add to the evaluation of a position, in hundredths of a level: at most
    /// twice the weight.
    pub fn of<const N: usize>(&self, position: &Position<N>, weight: i32) -> i32 {
        let value = self.0[player(position)][place(position)];
        i32::from(value) * weight / SCALE
    }

    /// Learns how far the score of a search of this depth was from the evaluation.
    pub fn learn<const N: usize>(&mut self, position: &Position<N>, error: i32, depth: i32) {
        let value = &mut self.0[player(position)][place(position)];
        let bonus = (error * depth / 8).clamp(-MAX_BONUS, MAX_BONUS);
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / MAX) as i16;
    }
}

/// The place of a position among the values of a player.
fn place<const N: usize>(position: &Position<N>) -> usize {
    (position.levels_key() >> (u64::BITS - SIZE_BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Position<5> {
        text.parse().unwrap()
    }

    #[test]
    fn what_searches_find_corrects_positions_of_the_same_levels_and_player() {
        let searched = position("01000/00200/00000/00010/00000 b3d3 c2c4 6 Pan Atlas");
        let mut corrections = Corrections::default();
        assert_eq!(corrections.of(&searched, 32), 0);
        corrections.learn(&searched, -40, 4);
        let once = corrections.of(&searched, 100);
        assert!((-5..0).contains(&once), "{once}");
        for _ in 0..100 {
            corrections.learn(&searched, -900, 6);
        }
        let most = corrections.of(&searched, 32);
        assert!((-64..-60).contains(&most), "{most}");
        for (text, expected) in [
            ("01000/00200/00000/00010/00000 a1e5 c2c4 8 Pan Atlas", most),
            ("01000/00200/00000/00010/00000 a1e5 c2c4 7 Atlas Pan", 0),
            ("01000/00200/00000/00011/00000 a1e5 c2c4 8 Pan Atlas", 0),
        ] {
            assert_eq!(corrections.of(&position(text), 32), expected, "{text}");
        }
        corrections.learn(&searched, 900, 6);
        assert!(corrections.of(&searched, 32) > most);
    }
}
