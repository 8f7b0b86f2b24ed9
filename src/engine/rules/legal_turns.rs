//! The legal turns of a position: all of them, some of them, or whether there are any.
//!
//! `generate.rs` generates turns for a card known at compile time. The functions here
//! select it by the card of the player to move.

use super::bitboard::{Bitboard, Geometry, Square};
use super::card::Card;
use super::generate::Generator;
use super::group::TurnGroup;
use super::position::{Position, Side};
use super::turn::Turn;

/// Runs an expression with the [`Generator`] for the power of the player to move.
macro_rules! with_generator {
    ($position:expr, |$generator:ident| $body:expr) => {{
        macro_rules! run {
            ($card:expr) => {{
                let $generator = Generator::<N, { $card }> {
                    position: $position,
                };
                $body
            }};
        }
        match $position.card(Side::Mover) {
            None => run!(0),
            Some(Card::Apollo) => run!(1),
            Some(Card::Artemis) => run!(2),
            Some(Card::Atlas) => run!(3),
            Some(Card::Demeter) => run!(4),
            Some(Card::Hephastus) => run!(5),
            Some(Card::Minotaur) => run!(6),
            Some(Card::Pan) => run!(7),
            Some(Card::Prometheus) => run!(8),
        }
    }};
}

impl<const N: usize> Position<N> {
    /// Calls `visit` with every legal turn, winning ones first.
    pub fn for_each_turn(&self, mut visit: impl FnMut(Turn)) {
        self.for_each_win(&mut visit);
        self.for_each_quiet(Geometry::<N>::BOARD, visit);
    }

    /// All legal turns, winning ones first.
    pub fn turns(&self) -> Vec<Turn> {
        let mut turns = Vec::with_capacity(128);
        self.for_each_turn(|turn| turns.push(turn));
        turns
    }

    /// All legal turns that do not win at once.
    pub(crate) fn quiet_turns(&self) -> Vec<Turn> {
        let mut turns = self.turns();
        turns.retain(|turn| !turn.wins());
        turns
    }

    /// Calls `visit` with every turn that wins at once.
    pub fn for_each_win(&self, mut visit: impl FnMut(Turn)) {
        with_generator!(self, |generator| generator.for_each_win(&mut visit))
    }

    /// Calls `visit` with every turn that does not win at once and whose first build after the
    /// move is on a square of `builds`.
    ///
    /// The first of two builds is the one on the lower square, so restricting `builds` makes
    /// sense in the base game only.
    #[inline(always)]
    pub fn for_each_quiet(&self, builds: Bitboard, mut visit: impl FnMut(Turn)) {
        with_generator!(self, |generator| generator
            .for_each_quiet(builds, &mut visit))
    }

    /// Calls `visit` with the groups of all turns that do not win at once. Groups may be
    /// empty.
    #[inline(always)]
    pub fn for_each_group(&self, mut visit: impl FnMut(TurnGroup)) {
        let workers = self.workers(Side::Mover);
        with_generator!(self, |generator| generator
            .for_each_group(workers, &mut visit))
    }

    /// Whether [`Self::for_each_quiet`] visits a turn.
    pub fn is_legal_quiet(&self, turn: Turn) -> bool {
        with_generator!(self, |generator| generator.is_legal_quiet(turn))
    }

    /// The steps of the mover's worker on `from` that do not win, in the base game.
    #[inline(always)]
    pub fn quiet_steps(&self, from: Square) -> Bitboard {
        let generator = Generator::<N, 0> { position: self };
        let level = self.level(from);
        let steps = generator.steps(from, level);
        steps.without(generator.winning(steps, level))
    }

    /// The squares that can be built on after one of these steps.
    #[inline(always)]
    pub fn quiet_builds(&self, from: Square, to: Square) -> Bitboard {
        let generator = Generator::<N, 0> { position: self };
        generator.builds(generator.moved(from, to))
    }

    /// Whether a turn is one of [`Self::quiet_steps`] and a legal build on one of `builds`.
    pub fn is_legal_quiet_base(&self, turn: Turn, builds: Bitboard) -> bool {
        let Some(build) = turn.build().filter(|_| turn.is_plain()) else {
            return false;
        };
        let (from, to) = (turn.from(), turn.to());
        self.workers(Side::Mover).has(from)
            && self.quiet_steps(from).has(to)
            && (self.quiet_builds(from, to) & builds).has(build)
    }

    /// A turn that wins at once, if there is one.
    pub fn win(&self) -> Option<Turn> {
        let mut win = None;
        self.for_each_win(|turn| win = win.or(Some(turn)));
        win
    }

    /// Whether the player to move has a turn that wins at once.
    pub fn has_win(&self) -> bool {
        with_generator!(self, |generator| generator.has_win())
    }

    /// Whether the player to move has any legal turn.
    pub fn has_turn(&self) -> bool {
        self.has_low_step() || with_generator!(self, |generator| generator.has_turn())
    }

    /// Whether a worker of the mover stands beside a free space of level 0 or 1: it can step
    /// there from any level and build on the space it left. True in nearly all positions.
    #[inline(always)]
    fn has_low_step(&self) -> bool {
        let beside = Geometry::<N>::around(self.workers(Side::Mover));
        beside.without(self.above[1] | self.occupied()).any()
    }

    /// The number of legal turns, winning ones included.
    #[inline(always)]
    pub fn count_turns(&self) -> u64 {
        with_generator!(self, |generator| generator.count_wins()
            + generator.count_quiet())
    }

    /// The squares that the mover's worker on `from` can step onto, for callers that play
    /// turns step by step. Without the second steps and builds before the move of some cards.
    pub fn steps(&self, from: Square) -> Bitboard {
        with_generator!(self, |generator| generator.steps(from, self.level(from)))
    }

    /// Whether one of [`Self::steps`] wins at once.
    pub fn step_wins(&self, from: Square, to: Square) -> bool {
        let steps = Bitboard::of(to);
        with_generator!(self, |generator| generator
            .winning(steps, self.level(from))
            .any())
    }

    /// The squares that can be built on after one of [`Self::steps`].
    pub fn builds_after(&self, from: Square, to: Square) -> Bitboard {
        with_generator!(self, |generator| generator
            .builds(generator.moved(from, to)))
    }

    /// The squares on which the mover's worker on `from` can end its move, winning or not, if it
    /// does not build first.
    pub fn reach(&self, from: Square) -> Bitboard {
        let level = self.level(from);
        with_generator!(self, |generator| generator.reach(from, level))
    }

    /// The legal turn that leads to the given position.
    pub fn turn_to(&self, after: &Self) -> Option<Turn> {
        self.legal_turn(|turn| self.play(turn) == *after)
    }

    /// The first legal turn that meets the condition.
    pub(super) fn legal_turn(&self, condition: impl Fn(Turn) -> bool) -> Option<Turn> {
        self.turns().into_iter().find(|&turn| condition(turn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The positions of a game whose turns are chosen by the position's hash.
    fn game<const N: usize>(start: &str) -> Vec<Position<N>> {
        let mut positions: Vec<Position<N>> = vec![start.parse().unwrap()];
        loop {
            let position = positions[positions.len() - 1];
            let turns = position.turns();
            if turns.is_empty() || turns[0].wins() {
                return positions;
            }
            positions.push(position.play(turns[position.key() as usize % turns.len()]));
        }
    }

    #[test]
    fn steps_and_builds_make_up_the_turns() {
        let start = "000000/000000/000000/000000/000000/000000 b2e5 b5e2 0";
        let positions = game::<6>(start);
        assert!(positions.len() > 10, "{}", positions.len());
        for position in positions {
            let mut turns = Vec::new();
            for from in position.workers(Side::Mover) {
                for to in position.steps(from) {
                    let moved = Turn::winning(from, to);
                    if position.step_wins(from, to) {
                        turns.push(moved);
                    } else {
                        let builds = position.builds_after(from, to);
                        turns.extend(builds.map(|build| moved.building(build)));
                    }
                }
            }
            let mut all = position.turns();
            all.sort();
            turns.sort();
            assert_eq!(turns, all, "{position}");
        }
    }

    #[test]
    fn is_legal_quiet_base_finds_the_generated_turns() {
        let card = "00000/00000/00000/00000/00000 b3d3 c2c4 0 Pan Apollo";
        let of_card = Position::<5>::turns(&card.parse().unwrap())
            .into_iter()
            .map(|turn| turn.displacing());
        let squares = || Geometry::<5>::BOARD.into_iter();
        let plain = squares()
            .flat_map(|from| squares().map(move |to| (from, to)))
            .filter(|(from, to)| from != to)
            .map(|(from, to)| Turn::winning(from, to))
            .flat_map(|turn| {
                squares()
                    .map(move |build| turn.building(build))
                    .chain([turn])
            });
        let all: Vec<Turn> = plain.chain(of_card).collect();
        for position in game::<5>("00000/00000/00000/00000/00000 b3d3 c2c4 0") {
            let builds = Bitboard(position.key()) & Geometry::<5>::BOARD;
            let mut turns = Vec::new();
            position.for_each_quiet(builds, |turn| turns.push(turn));
            turns.sort();
            let mut found: Vec<Turn> = all
                .iter()
                .copied()
                .filter(|&turn| position.is_legal_quiet_base(turn, builds))
                .collect();
            found.sort();
            assert_eq!(found, turns, "{position}");
        }
    }
}
