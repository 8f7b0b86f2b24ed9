//! The boards of a game, and a cursor on the current one.

use crate::draw::{Scene, Seat};
use crate::rules::{Position, Turn};

/// A game that can be stepped through and continued from any board.
#[derive(Clone, Debug)]
pub(crate) struct GameCursor<const N: usize> {
    /// Never empty.
    scenes: Vec<Scene<N>>,
    now: usize,
    /// The last board of the game; boards after it were taken back.
    last: usize,
}

impl<const N: usize> GameCursor<N> {
    /// A cursor on the first of the scenes; `None` without any.
    pub(crate) fn new(scenes: Vec<Scene<N>>) -> Option<Self> {
        let last = scenes.len().checked_sub(1)?;
        Some(Self {
            scenes,
            now: 0,
            last,
        })
    }

    /// The current board.
    pub(crate) fn scene(&self) -> &Scene<N> {
        &self.scenes[self.now]
    }

    /// The current position.
    pub(crate) fn position(&self) -> &Position<N> {
        self.scene().position()
    }

    /// All boards, in order.
    pub(crate) fn scenes(&self) -> &[Scene<N>] {
        &self.scenes
    }

    /// The boards up to the current one.
    pub(crate) fn so_far(&self) -> &[Scene<N>] {
        &self.scenes[..=self.now]
    }

    /// The boards of the game, without those taken back.
    pub(crate) fn game(&self) -> &[Scene<N>] {
        &self.scenes[..=self.last]
    }

    /// Moves by this many turns, backwards if negative, as far as there are boards.
    /// Returns whether the board changed.
    pub(crate) fn step(&mut self, turns: isize) -> bool {
        let last = self.scenes.len() - 1;
        let now = self.now.saturating_add_signed(turns).min(last);
        self.look_at(now)
    }

    /// Takes back this many turns. Stepping to one of their boards restores it.
    pub(crate) fn take_back(&mut self, turns: usize) {
        self.now = self.now.saturating_sub(turns);
        self.last = self.now;
    }

    fn look_at(&mut self, now: usize) -> bool {
        self.last = self.last.max(now);
        std::mem::replace(&mut self.now, now) != now
    }

    /// Moves to the board with this turn number. Returns whether there is one.
    pub(crate) fn go_to(&mut self, turn: u32) -> bool {
        let found = self
            .scenes
            .iter()
            .position(|scene| scene.position().turn() == turn);
        self.look_at(found.unwrap_or(self.now));
        found.is_some()
    }

    /// Gives the player in this seat a new name on all boards where it has the old one.
    pub(crate) fn rename(&mut self, seat: Seat, old: &str, new: &str) {
        for scene in &mut self.scenes {
            if scene.name(seat) == old {
                let mut names = Seat::BOTH.map(|seat| scene.name(seat).to_string());
                names[seat as usize] = new.to_string();
                *scene = scene.clone().named(names);
            }
        }
    }

    /// Plays a legal turn on the current board and moves to the next one. Later boards
    /// are dropped, unless they follow this turn. Returns the number of dropped turns.
    pub(crate) fn play(&mut self, turn: Turn) -> usize {
        let after = self.position().play(turn);
        let next = self.scenes.get(self.now + 1);
        let mut dropped = 0;
        if next.is_none_or(|next| *next.position() != after) {
            let scene = self.scene().followed_by(turn);
            self.now += 1;
            dropped = self.scenes.len() - self.now;
            self.scenes.truncate(self.now);
            self.scenes.push(scene);
            self.last = self.now;
        } else {
            self.look_at(self.now + 1);
        }
        dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cursor() -> GameCursor<5> {
        let start: Position<5> = "00000/00000/00000/00000/00000 c2c4 b3d3 0".parse().unwrap();
        let mut cursor = GameCursor::new(vec![Scene::new(&start)]).unwrap();
        for turn in ["c2-c1+b1", "b3-b2+a1", "c1-d1+c1"] {
            assert_eq!(cursor.play(Turn::parse::<5>(turn).unwrap()), 0);
        }
        cursor
    }

    #[test]
    fn steps_stay_within_the_game() {
        let mut cursor = cursor();
        assert!(!cursor.step(1));
        assert!(cursor.step(-2));
        assert_eq!(cursor.position().turn(), 1);
        assert!(cursor.step(-100));
        assert_eq!(cursor.position().turn(), 0);
        assert!(!cursor.step(-1));
        assert!(cursor.go_to(2));
        assert!(!cursor.go_to(9));
        assert_eq!(cursor.position().turn(), 2);
        assert_eq!(cursor.so_far().len(), 3);
    }

    #[test]
    fn stepping_restores_turns_taken_back() {
        let mut cursor = cursor();
        cursor.step(-1);
        assert_eq!(cursor.game().len(), 4, "stepping back takes no turn back");
        cursor.step(1);
        cursor.take_back(2);
        assert_eq!((cursor.position().turn(), cursor.game().len()), (1, 2));
        assert_eq!(cursor.scenes().len(), 4);
        cursor.step(1);
        assert_eq!(cursor.game().len(), 3);
        cursor.take_back(2);
        let same = cursor.scenes()[1].last().unwrap().turn;
        assert_eq!((cursor.play(same), cursor.game().len()), (0, 2));
        cursor.go_to(3);
        assert_eq!(cursor.game().len(), 4);
        cursor.take_back(3);
        let other = Turn::parse::<5>("c2-c3+b3").unwrap();
        assert_eq!((cursor.play(other), cursor.game().len()), (3, 2));
    }

    #[test]
    fn only_a_different_turn_drops_the_rest() {
        let mut cursor = cursor();
        cursor.go_to(1);
        let same = cursor.scenes()[2].last().unwrap().turn;
        assert_eq!(cursor.play(same), 0);
        assert_eq!(cursor.scenes().len(), 4);
        cursor.go_to(1);
        let other = Turn::parse::<5>("b3-b2+a2").unwrap();
        assert_eq!(cursor.play(other), 2);
        assert_eq!(cursor.scenes().len(), 3);
        assert_eq!(cursor.position().turn(), 2);
        assert_eq!(cursor.scene().last().unwrap().turn, other);
    }
}
