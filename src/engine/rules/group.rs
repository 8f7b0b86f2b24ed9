//! Turns in groups that differ only in the square of the last build. A few operations on
//! its set of squares generate and score a whole group.

use super::bitboard::{Bitboard, Square};
use super::turn::{Extra, Turn};

/// Turns that do not win at once and differ only in the square of their last build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnGroup {
    /// The shared part: a turn without the last build.
    pub shared: Turn,
    /// The kind of build that the turns differ in.
    pub last: LastBuild,
    /// The squares of the last build, one for each turn.
    pub squares: Bitboard,
}

/// The last build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LastBuild {
    /// A level, or a dome on level 3: the only build after the move.
    Level,
    /// A dome on a lower tower.
    Dome,
    /// Two levels.
    TwoLevels,
    /// A second build after the move, on another square than the first.
    Second,
}

impl TurnGroup {
    /// The turn with the last build on this square.
    #[inline(always)]
    pub fn turn(&self, square: Square) -> Turn {
        match self.last {
            LastBuild::Level => self.shared.building(square),
            LastBuild::Dome => self.shared.building(square).as_dome(),
            LastBuild::TwoLevels => {
                let built = self.shared.building(square);
                built.with_extra(Extra::SecondBuild(square))
            }
            LastBuild::Second => self.shared.with_extra(Extra::SecondBuild(square)),
        }
    }

    /// The square of the turn's last build, if the turn belongs to this group.
    #[inline(always)]
    pub fn square_of(&self, turn: Turn) -> Option<Square> {
        let square = match turn.extra() {
            Extra::SecondBuild(square) => square,
            Extra::None | Extra::Via(_) | Extra::FirstBuild(_) => turn.build()?,
        };
        (self.squares.has(square) && self.turn(square) == turn).then_some(square)
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand::seq::{IndexedRandom, SliceRandom};

    use super::*;
    use crate::rules::{Card, Geometry, Position, random_opening};
    use crate::seeds::seeded;

    /// In all positions of random games every quiet turn is in one group, and no other turn is.
    #[test]
    fn every_quiet_turn_belongs_to_one_group() {
        let mut rng = seeded(3);
        let mut others = 0;
        for (number, cards) in Card::pairs().enumerate() {
            let mut position = random_opening::<5>(number as u32, 1, 0, cards.map(Some));
            let mut before: Vec<Turn> = Vec::new();
            loop {
                let turns = position.turns();
                assert_eq!(position.has_turn(), !turns.is_empty(), "{position}");
                let mut groups = Vec::new();
                position.for_each_group(|group| groups.push(group));
                for &turn in turns.iter().chain(&before) {
                    let groups = groups
                        .iter()
                        .filter(|group| group.square_of(turn).is_some());
                    let is_quiet = turns.contains(&turn) && !turn.wins();
                    assert_eq!(groups.count(), usize::from(is_quiet), "{turn:?} {position}");
                    assert_eq!(
                        position.is_legal_quiet(turn),
                        is_quiet,
                        "{turn:?} {position}"
                    );
                    others += u32::from(!is_quiet);
                }
                let mut quiet = turns.clone();
                quiet.retain(|turn| !turn.wins());
                let Some(&turn) = quiet.choose(&mut rng) else {
                    break;
                };
                // Turns of the other player's card and of earlier boards.
                before.extend(turns.choose(&mut rng));
                position = position.play(turn);
            }
        }
        assert!(others > 1000, "{others}");
    }

    /// Players without a turn are rare in games, so these boards have many domes.
    #[test]
    fn a_player_has_a_turn_if_any_is_generated() {
        let mut rng = seeded(5);
        let mut without = [0; 8];
        for number in 0..40_000 {
            let cards: Vec<Card> = Card::ALL.sample(&mut rng, 2).copied().collect();
            let mut levels = [[4; 5]; 5];
            let mut squares: Vec<Square> = Geometry::<5>::BOARD.collect();
            squares.shuffle(&mut rng);
            for square in &squares[..rng.random_range(4..12)] {
                levels[square.row::<5>()][square.column::<5>()] = rng.random_range(0..4);
            }
            let workers = [[squares[0], squares[1]], [squares[2], squares[3]]];
            let both = [Some(cards[0]), Some(cards[1])];
            let position = Position::<5>::new(&levels, workers, both, number).unwrap();
            let has_turn = !position.turns().is_empty();
            assert_eq!(position.has_turn(), has_turn, "{position}");
            without[cards[0] as usize] += u32::from(!has_turn);
        }
        assert!(without.iter().all(|&count| count > 50), "{without:?}");
    }
}
