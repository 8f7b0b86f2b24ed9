//! The turn generator: one piece of code for the base game and every card.
//!
//! A turn is a move, then building. [`Generator`] goes through these phases for one
//! [`Power`], a compile-time constant: the base game has no tests for cards, just a few bit
//! operations for each move. Turns that lead to the same board are generated once.
//!
//! Code that runs for every turn is always inlined, so it is compiled with the instruction
//! set of its caller (see `perft.rs`).

use super::bitboard::{Bitboard, Geometry, Square};
use super::card::{Blocked, Building, Card, Power};
use super::group::{LastBuild, TurnGroup};
use super::position::Position;
use super::turn::{Extra, Turn};

/// A move that does not win, without the builds after it, and the squares for them.
struct Moved {
    turn: Turn,
    builds: Bitboard,
}

/// Generates the turns of the player to move. `CARD` is 0 for the base game, otherwise one
/// more than the card's index in [`Card::ALL`].
pub(super) struct Generator<'a, const N: usize, const CARD: usize> {
    pub(super) position: &'a Position<N>,
}

impl<const N: usize, const CARD: usize> Generator<'_, N, CARD> {
    const POWER: Power = {
        let power = match CARD {
            0 => Power::BASE,
            card => Card::ALL[card - 1].power(),
        };
        assert!(!(power.moves_twice && power.wins_by_falling));
        power
    };

    // ---- moving ----

    /// The squares that a worker of the mover can step onto from a square of this level.
    #[inline(always)]
    pub(super) fn steps(&self, from: Square, level: u8) -> Bitboard {
        let position = self.position;
        let climbable = !position.above[(level as usize + 1).min(3)];
        let near = Geometry::<N>::NEIGHBOURS[from.index()] & climbable;
        match Self::POWER.blocked {
            Blocked::Stays => near.without(position.occupied()),
            Blocked::Swaps => near.without(position.workers[0]),
            Blocked::Pushes => {
                let blocking = (near & position.workers[1])
                    .filter(|&to| position.displaced_to(from, to).is_none());
                near.without(position.workers[0])
                    .without(blocking.collect())
            }
        }
    }

    /// The steps from a square of this level that win.
    #[inline(always)]
    pub(super) fn winning(&self, steps: Bitboard, level: u8) -> Bitboard {
        let above = &self.position.above;
        let climbs = if level == 2 {
            steps & above[2]
        } else {
            Bitboard::EMPTY
        };
        if Self::POWER.wins_by_falling && level >= 2 {
            climbs | steps.without(above[level as usize - 2])
        } else {
            climbs
        }
    }

    /// Whether there may be a turn that wins at once. Ignores workers in the way.
    #[inline(always)]
    fn may_win(&self) -> bool {
        let around = Geometry::<N>::around;
        let (own, above) = (self.position.workers[0], &self.position.above);
        let second = above[1].without(above[2]);
        let mut starts = own & second;
        if Self::POWER.moves_twice {
            starts |= around(own) & second;
        }
        (around(starts) & above[2]).without(above[3]).any()
            || Self::POWER.wins_by_falling && (own & above[1]).any()
    }

    /// The squares of a second step from `via`, after a first one from `from`.
    fn second_steps(&self, from: Square, via: Square, level: u8) -> Bitboard {
        self.steps(via, level).without(Bitboard::of(from))
    }

    /// The squares reached by one step or, if the card allows, two.
    pub(super) fn reach(&self, from: Square, level: u8) -> Bitboard {
        let first = self.steps(from, level);
        if !Self::POWER.moves_twice {
            return first;
        }
        first.fold(first, |reach, via| {
            reach | self.second_steps(from, via, self.position.level(via))
        })
    }

    /// A move without its builds.
    pub(super) fn moved(&self, from: Square, to: Square) -> Turn {
        let turn = Turn::winning(from, to);
        if Self::POWER.blocked != Blocked::Stays && self.position.workers[1].has(to) {
            turn.displacing()
        } else {
            turn
        }
    }

    /// Calls `visit` with each of these workers, its level, its winning steps and the others.
    #[inline(always)]
    fn for_each_worker(
        &self,
        workers: Bitboard,
        mut visit: impl FnMut(Square, u8, Bitboard, Bitboard),
    ) {
        for from in workers {
            let level = self.position.level(from);
            let steps = self.steps(from, level);
            let wins = self.winning(steps, level);
            visit(from, level, wins, steps.without(wins));
        }
    }

    #[inline(always)]
    pub(super) fn for_each_win(&self, visit: &mut impl FnMut(Turn)) {
        if !self.may_win() {
            return;
        }
        self.for_each_worker(self.position.workers[0], |from, _, wins, quiet| {
            for to in wins {
                visit(self.moved(from, to));
            }
            if Self::POWER.moves_twice {
                let mut seen = wins;
                // A card with two moves does not win by falling, so a second step wins from
                // level 2 alone. Measured: 1.19 times the nodes a second with Artemis.
                let above = &self.position.above;
                for via in quiet & above[1].without(above[2]) {
                    let second = self.winning(self.second_steps(from, via, 2), 2);
                    for to in second.without(seen) {
                        visit(self.moved(from, to).with_extra(Extra::Via(via)));
                    }
                    seen |= second;
                }
            }
        });
    }

    pub(super) fn has_win(&self) -> bool {
        if !self.may_win() {
            return false;
        }
        if Self::POWER.moves_twice {
            return self.count_wins() > 0;
        }
        let mut found = Bitboard::EMPTY;
        let workers = self.position.workers[0];
        self.for_each_worker(workers, |_, _, wins, _| found |= wins);
        found.any()
    }

    pub(super) fn has_turn(&self) -> bool {
        let mut found = false;
        let workers = self.position.workers[0];
        self.for_each_worker(workers, |from, _, wins, quiet| {
            // After a step the worker can always build on the space it left, unless an
            // opponent's worker stands there now.
            let swaps = match Self::POWER.blocked {
                Blocked::Swaps => quiet & self.position.workers[1],
                Blocked::Stays | Blocked::Pushes => Bitboard::EMPTY,
            };
            found |= (wins | quiet.without(swaps)).any()
                || swaps.exists(|to| self.builds(self.moved(from, to)).any());
        });
        found
    }

    /// Whether the generator makes this turn, and it does not win. False for another spelling of
    /// a generated turn.
    pub(super) fn is_legal_quiet(&self, turn: Turn) -> bool {
        let worker = Bitboard::of(turn.from()) & self.position.workers[0];
        let mut found = false;
        self.for_each_group(worker, &mut |group| {
            found |= group.square_of(turn).is_some()
        });
        found
    }

    #[inline(always)]
    pub(super) fn count_wins(&self) -> u64 {
        let mut count = 0;
        self.for_each_win(&mut |_| count += 1);
        count
    }

    /// Calls `visit` with every move of these workers that does not win.
    #[inline(always)]
    fn for_each_moved(&self, workers: Bitboard, visit: &mut impl FnMut(Moved)) {
        self.for_each_worker(workers, |from, level, _, quiet| {
            for to in quiet {
                let turn = self.moved(from, to);
                visit(Moved {
                    turn,
                    builds: self.builds(turn),
                });
            }
            if Self::POWER.moves_twice {
                self.for_each_moved_twice(from, quiet, visit);
            }
            if Self::POWER.building == Building::OrBeforeMoving {
                self.for_each_built_first(from, level, visit);
            }
        });
    }

    /// The moves of two steps to squares that no single step and no earlier pair of steps
    /// reaches without winning.
    fn for_each_moved_twice(&self, from: Square, first: Bitboard, visit: &mut impl FnMut(Moved)) {
        let mut seen = first;
        for via in first {
            let level = self.position.level(via);
            let steps = self.second_steps(from, via, level);
            let quiet = steps.without(self.winning(steps, level));
            for to in quiet.without(seen) {
                let turn = self.moved(from, to).with_extra(Extra::Via(via));
                visit(Moved {
                    turn,
                    builds: self.builds(turn),
                });
            }
            seen |= quiet;
        }
    }

    /// The moves after a first build, none of which goes up.
    ///
    /// Building x, moving, building y gives the same board as building y, moving, building x.
    /// If both are legal, only the one with x below y is generated.
    fn for_each_built_first(&self, from: Square, level: u8, visit: &mut impl FnMut(Moved)) {
        let neighbours = Geometry::<N>::NEIGHBOURS;
        let near = neighbours[from.index()];
        let blocked = self.position.occupied() | self.position.above[3];
        for first in near.without(blocked) {
            let mut built = *self.position;
            built.raise(Bitboard::of(first));
            let after = Generator::<N, CARD> { position: &built };
            for to in after
                .steps(from, level)
                .without(built.above[level as usize])
            {
                let turn = Turn::winning(from, to).with_extra(Extra::FirstBuild(first));
                let mut builds = after.builds(turn);
                if neighbours[to.index()].has(first) {
                    builds = builds.without(near & Bitboard::below(first));
                }
                visit(Moved { turn, builds });
            }
        }
    }

    // ---- building ----

    /// The squares that can be built on after the move of the turn.
    #[inline(always)]
    pub(super) fn builds(&self, turn: Turn) -> Bitboard {
        let (from, to) = (turn.from(), turn.to());
        let mut occupied = self.position.occupied() ^ Bitboard::of(from) | Bitboard::of(to);
        if Self::POWER.blocked != Blocked::Stays && turn.displaces() {
            let target = self.position.displaced_to(from, to);
            occupied |=
                Bitboard::of(target.expect("the generator moves onto displaceable workers"));
        }
        Geometry::<N>::NEIGHBOURS[to.index()].without(occupied | self.position.above[3])
    }

    #[inline(always)]
    pub(super) fn for_each_quiet(&self, allowed: Bitboard, visit: &mut impl FnMut(Turn)) {
        self.for_each_moved(self.position.workers[0], &mut |Moved { turn, builds }| {
            for build in builds & allowed {
                visit(turn.building(build));
                let more = match Self::POWER.building {
                    Building::Once | Building::OrBeforeMoving => continue,
                    Building::OrDome | Building::OrTwoLevels => {
                        self.more_on_one(turn, Bitboard::of(build))
                    }
                    Building::OrTwoSpaces => self.on_two(turn, build, builds),
                };
                for square in more.squares {
                    visit(more.turn(square));
                }
            }
        });
    }

    /// Calls `visit` with the groups of all turns of some workers that do not win.
    #[inline(always)]
    pub(super) fn for_each_group(&self, workers: Bitboard, visit: &mut impl FnMut(TurnGroup)) {
        self.for_each_moved(workers, &mut |Moved { turn, builds }| {
            visit(TurnGroup {
                shared: turn,
                last: LastBuild::Level,
                squares: builds,
            });
            match Self::POWER.building {
                Building::Once | Building::OrBeforeMoving => {}
                Building::OrDome | Building::OrTwoLevels => visit(self.more_on_one(turn, builds)),
                Building::OrTwoSpaces => {
                    for first in builds {
                        visit(self.on_two(turn, first, builds));
                    }
                }
            }
        });
    }

    /// The turns that build more than a level on one of these squares after the move of a
    /// turn, if the card allows it.
    #[inline(always)]
    fn more_on_one(&self, shared: Turn, squares: Bitboard) -> TurnGroup {
        let above = &self.position.above;
        let (last, too_high) = match Self::POWER.building {
            Building::OrDome => (LastBuild::Dome, above[2]),
            _ => (LastBuild::TwoLevels, above[1]),
        };
        TurnGroup {
            shared,
            last,
            squares: squares.without(too_high),
        }
    }

    /// The turns that build on `first` and on a later one of these squares after the move
    /// of a turn, if the card allows it.
    #[inline(always)]
    fn on_two(&self, turn: Turn, first: Square, squares: Bitboard) -> TurnGroup {
        TurnGroup {
            shared: turn.building(first),
            last: LastBuild::Second,
            squares: squares.without(Bitboard::below(first) | Bitboard::of(first)),
        }
    }

    /// The number of turns that do not win, counted without making them.
    #[inline(always)]
    pub(super) fn count_quiet(&self) -> u64 {
        let mut count = 0;
        let workers = self.position.workers[0];
        self.for_each_moved(workers, &mut |moved| {
            count += self.count_builds(moved.builds)
        });
        count
    }

    #[inline(always)]
    fn count_builds(&self, builds: Bitboard) -> u64 {
        let above = &self.position.above;
        let once = u64::from(builds.count());
        once + match Self::POWER.building {
            Building::Once | Building::OrBeforeMoving => 0,
            Building::OrDome => u64::from(builds.without(above[2]).count()),
            Building::OrTwoLevels => u64::from(builds.without(above[1]).count()),
            Building::OrTwoSpaces => once * once.saturating_sub(1) / 2,
        }
    }
}
