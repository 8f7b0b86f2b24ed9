//! The boards of one game, and the one that is looked at.

use crate::draw::Scene;
use crate::rules::{Position, Turn};

/// A game that can be stepped through and gone on with from any board.
#[derive(Clone, Debug)]
pub struct Story<const N: usize> {
    /// Never empty.
    scenes: Vec<Scene<N>>,
    now: usize,
    /// The last board of the game; those after it were taken back.
    last: usize,
}

impl<const N: usize> Story<N> {
    /// The game of the scenes, its first one looked at; `None` without any.
    pub fn new(scenes: Vec<Scene<N>>) -> Option<Self> {
        let last = scenes.len().checked_sub(1)?;
        Some(Self {
            scenes,
            now: 0,
            last,
        })
    }

    /// The board looked at.
    pub fn scene(&self) -> &Scene<N> {
        &self.scenes[self.now]
    }

    /// Its position.
    pub fn position(&self) -> &Position<N> {
        self.scene().position()
    }

    /// All boards, the first one first.
    pub fn scenes(&self) -> &[Scene<N>] {
        &self.scenes
    }

    /// The boards up to the one looked at.
    pub fn so_far(&self) -> &[Scene<N>] {
        &self.scenes[..=self.now]
    }

    /// The boards of the game, without those that were taken back.
    pub fn game(&self) -> &[Scene<N>] {
        &self.scenes[..=self.last]
    }

    /// Looks at the board this many turns later, or earlier if negative, or as
    /// far as there are boards. Returns whether that is another board.
    pub fn step(&mut self, turns: isize) -> bool {
        let last = self.scenes.len() - 1;
        let now = self.now.saturating_add_signed(turns).min(last);
        self.look_at(now)
    }

    /// Takes back this many turns. Their boards can still be stepped to, and are
    /// then in the game again.
    pub fn take_back(&mut self, turns: usize) {
        self.now = self.now.saturating_sub(turns);
        self.last = self.now;
    }

    fn look_at(&mut self, now: usize) -> bool {
        self.last = self.last.max(now);
        std::mem::replace(&mut self.now, now) != now
    }

    /// Looks at the board with this turn number. Returns whether there is one.
    pub fn go_to(&mut self, turn: u32) -> bool {
        let found = self
            .scenes
            .iter()
            .position(|scene| scene.position().turn() == turn);
        self.look_at(found.unwrap_or(self.now));
        found.is_some()
    }

    /// Plays a legal turn on the board looked at and looks at the next one.
    /// What came after is dropped, unless it is this turn. Returns how many
    /// turns were dropped.
    pub fn play(&mut self, turn: Turn) -> usize {
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

    fn story() -> Story<5> {
        let start: Position<5> = "00000/00000/00000/00000/00000 c2c4 b3d3 0".parse().unwrap();
        let mut story = Story::new(vec![Scene::new(&start)]).unwrap();
        for turn in ["c2-c1+b1", "b3-b2+a1", "c1-d1+c1"] {
            assert_eq!(story.play(Turn::parse::<5>(turn).unwrap()), 0);
        }
        story
    }

    #[test]
    fn steps_stay_within_the_game() {
        let mut story = story();
        assert!(!story.step(1));
        assert!(story.step(-2));
        assert_eq!(story.position().turn(), 1);
        assert!(story.step(-100));
        assert_eq!(story.position().turn(), 0);
        assert!(!story.step(-1));
        assert!(story.go_to(2));
        assert!(!story.go_to(9));
        assert_eq!(story.position().turn(), 2);
        assert_eq!(story.so_far().len(), 3);
    }

    #[test]
    fn turns_taken_back_are_in_the_game_again_when_stepped_to() {
        let mut story = story();
        story.step(-1);
        assert_eq!(story.game().len(), 4, "looking back takes nothing back");
        story.step(1);
        story.take_back(2);
        assert_eq!((story.position().turn(), story.game().len()), (1, 2));
        assert_eq!(story.scenes().len(), 4);
        story.step(1);
        assert_eq!(story.game().len(), 3);
        story.take_back(2);
        let same = story.scenes()[1].last().unwrap().turn;
        assert_eq!((story.play(same), story.game().len()), (0, 2));
        story.go_to(3);
        assert_eq!(story.game().len(), 4);
        story.take_back(3);
        let other = Turn::parse::<5>("c2-c3+b3").unwrap();
        assert_eq!((story.play(other), story.game().len()), (3, 2));
    }

    #[test]
    fn another_turn_drops_the_rest_and_the_same_one_does_not() {
        let mut story = story();
        story.go_to(1);
        let same = story.scenes()[2].last().unwrap().turn;
        assert_eq!(story.play(same), 0);
        assert_eq!(story.scenes().len(), 4);
        story.go_to(1);
        let other = Turn::parse::<5>("b3-b2+a2").unwrap();
        assert_eq!(story.play(other), 2);
        assert_eq!(story.scenes().len(), 3);
        assert_eq!(story.position().turn(), 2);
        assert_eq!(story.scene().last().unwrap().turn, other);
    }
}
