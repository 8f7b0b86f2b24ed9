//! Threats of the base game, by bit operations.
//!
//! Without cards a turn wins at once only by a step from level 2 to a free space of level 3,
//! and only a dome on that space prevents it. So the turns that do not lose at once are exactly
//! those that build on one set of squares.

use super::bitboard::{Bitboard, Geometry, Square};
use super::position::{Position, Side};
use super::turn::Turn;

/// The builds that do not lose at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SafeBuilds {
    /// The squares that may be built on.
    pub squares: Bitboard,
    /// How many squares the opponent threatens to win on.
    pub threats: u32,
}

impl<const N: usize> Position<N> {
    /// The neighbours of each of these workers that is on level 2.
    #[inline(always)]
    fn beside_level_2(&self, workers: Bitboard) -> Bitboard {
        Geometry::<N>::around(workers & self.above[1])
    }

    /// The builds after which the opponent cannot win at once.
    ///
    /// A single threat must be capped; two cannot be. Without a threat the only mistake is to
    /// raise a space to level 3 next to an opponent's worker on level 2. For the base game, if
    /// the mover has no immediate win.
    pub fn safe_builds(&self) -> SafeBuilds {
        let near = self.beside_level_2(self.workers(Side::Other));
        let threatened = near & self.above[2].without(self.above[3] | self.occupied());
        let (squares, threats) = if threatened.is_empty() {
            let raising = near & self.above[1].without(self.above[2]);
            (Geometry::<N>::BOARD.without(raising), 0)
        } else if threatened.many() {
            (Bitboard::EMPTY, threatened.count())
        } else {
            (threatened, 1)
        };
        SafeBuilds { squares, threats }
    }
}

/// A step of the mover and its threats before the build, in the base game.
#[derive(Clone, Copy)]
struct ThreateningStep {
    from: Square,
    to: Square,
    /// All workers after the step.
    occupied: Bitboard,
    /// The squares on which the mover threatens to win.
    threats: Bitboard,
    /// The squares on which it would threaten to win if they were a level higher.
    raisable: Bitboard,
}

impl ThreateningStep {
    /// The squares on which the mover threatens to win after a build.
    #[inline(always)]
    fn threats_after(&self, build: Square) -> Bitboard {
        let build = Bitboard::of(build);
        self.threats.without(build) | self.raisable & build
    }

    /// The builds that leave a threat, possible or not.
    #[inline(always)]
    fn threatening_builds<const N: usize>(&self) -> Bitboard {
        if self.threats.is_empty() {
            self.raisable
        } else if self.threats.many() {
            Geometry::<N>::BOARD
        } else {
            Geometry::<N>::BOARD.without(self.threats)
        }
    }
}

/// Threats of the mover, in positions of the base game without an immediate win. `builds`
/// are the [safe ones](Position::safe_builds).
impl<const N: usize> Position<N> {
    /// Whether the mover has a turn that makes an unstoppable threat: to win on two squares, or
    /// on one that the opponent cannot cap. It wins in three plies.
    pub fn has_unstoppable_threat(&self, builds: Bitboard) -> bool {
        self.may_threaten() && {
            let answers = self.reachable(Side::Other);
            self.some_threatening_step(|step| self.threatens_for_good(step, builds, answers))
        }
    }

    /// Whether the mover wins by threats alone, an unstoppable one after at most `more` others:
    /// in `3 + 2 * more` plies. For positions without an unstoppable threat.
    pub fn wins_by_threats(&self, builds: Bitboard, more: u32) -> bool {
        self.may_threaten()
            && self.some_threatening_step(|step| {
                let near = Geometry::<N>::NEIGHBOURS[step.to.index()] & builds;
                let buildable = near.without(step.occupied | self.above[3]);
                buildable.exists(|build| {
                    let Some(threat) = step.threats_after(build).first() else {
                        return false;
                    };
                    let after = self.play(Turn::winning(step.from, step.to).building(build));
                    after.all_caps(threat, |next| {
                        let safe = next.safe_builds();
                        safe.threats <= 1
                            && (next.has_unstoppable_threat(safe.squares)
                                || more > 1 && next.wins_by_threats(safe.squares, more - 1))
                    })
                })
            })
    }

    /// The builds after a step that leave a threat, possible or not. `beside_other` is
    /// [`Self::beside_other_worker`].
    #[inline(always)]
    pub fn threatening_builds(&self, from: Square, to: Square, beside_other: Bitboard) -> Bitboard {
        self.threatening_step(from, to, beside_other)
            .threatening_builds::<N>()
    }

    /// The neighbours of the mover's worker that is not on `from`, if it is on level 2.
    #[inline(always)]
    pub fn beside_other_worker(&self, from: Square) -> Bitboard {
        self.beside_level_2(self.workers(Side::Mover).without(Bitboard::of(from)))
    }

    /// Whether a turn may threaten to win: a worker is on level 2 or can step there, beside a
    /// space of level 2 or 3.
    #[inline(always)]
    fn may_threaten(&self) -> bool {
        let around = Geometry::<N>::around;
        let [own, others] = self.workers;
        let steps =
            around(own & self.above[0]) & self.above[1].without(self.above[2] | own | others);
        let ready = around(steps) | around(own & self.above[1]);
        (ready & self.above[1])
            .without(self.above[3] | others)
            .any()
    }

    /// Whether the condition holds for a step after which a worker of the mover is on level 2.
    #[inline(always)]
    fn some_threatening_step(&self, mut condition: impl FnMut(&ThreateningStep) -> bool) -> bool {
        self.workers(Side::Mover).exists(|from| {
            let beside_other = self.beside_other_worker(from);
            let climbable = !self.above[(self.level(from) as usize + 1).min(2)];
            let mut steps =
                Geometry::<N>::NEIGHBOURS[from.index()].without(self.occupied()) & climbable;
            if beside_other.is_empty() {
                steps &= self.above[1];
            }
            steps.exists(|to| condition(&self.threatening_step(from, to, beside_other)))
        })
    }

    #[inline(always)]
    fn threatening_step(
        &self,
        from: Square,
        to: Square,
        beside_other: Bitboard,
    ) -> ThreateningStep {
        let occupied = self.occupied() ^ Bitboard::of(from) | Bitboard::of(to);
        let ready = beside_other | self.beside_level_2(Bitboard::of(to));
        ThreateningStep {
            from,
            to,
            occupied,
            threats: (ready & self.above[2]).without(self.above[3] | occupied),
            raisable: (ready & self.above[1]).without(self.above[2] | occupied),
        }
    }

    /// The squares low enough for a player's workers to step onto, free or not.
    fn reachable(&self, side: Side) -> Bitboard {
        self.workers(side)
            .fold(Bitboard::EMPTY, |reachable, worker| {
                reachable | Geometry::<N>::NEIGHBOURS[worker.index()] & !self.too_high(worker)
            })
    }

    /// The squares that are too high for the worker on a square.
    fn too_high(&self, worker: Square) -> Bitboard {
        self.above[usize::from(self.level(worker) + 1).min(3)]
    }

    /// [`Self::has_unstoppable_threat`] for one step. `answers` are the squares that the
    /// opponent's workers reach.
    ///
    /// A threat is capped from a neighbour. A build takes away at most one neighbour and adds
    /// none.
    fn threatens_for_good(
        &self,
        step: &ThreateningStep,
        builds: Bitboard,
        answers: Bitboard,
    ) -> bool {
        let &ThreateningStep {
            to,
            occupied,
            threats,
            ..
        } = step;
        let near = Geometry::<N>::NEIGHBOURS[to.index()];
        let buildable = (near & builds).without(occupied | self.above[3]);
        let raising = buildable & step.raisable;
        let caps = |threat: Square| {
            (answers & Geometry::<N>::NEIGHBOURS[threat.index()]).without(occupied)
        };
        match threats.first() {
            None => raising.exists(|raised| caps(raised).is_empty()),
            Some(_) if threats.many() => {
                let elsewhere = buildable.without(threats);
                elsewhere.any()
                    || buildable.exists(|build| {
                        let left = threats.without(Bitboard::of(build));
                        left.many()
                            || left
                                .first()
                                .is_some_and(|threat| self.cannot_be_capped(step, build, threat))
                    })
            }
            Some(threat) => {
                let (caps, elsewhere) = (caps(threat), buildable.without(threats));
                raising.any()
                    || caps.is_empty() && elsewhere.any()
                    || !caps.many()
                        && (caps & elsewhere)
                            .exists(|build| self.cannot_be_capped(step, build, threat))
            }
        }
    }

    /// Whether the opponent cannot cap the square `threat` after the step and the build.
    fn cannot_be_capped(&self, step: &ThreateningStep, build: Square, threat: Square) -> bool {
        let after = self.play(Turn::winning(step.from, step.to).building(build));
        after.all_caps(threat, |_| false)
    }

    /// Whether a condition holds for the positions after all turns that build on a square.
    #[inline(always)]
    fn all_caps(&self, square: Square, condition: impl Fn(&Self) -> bool) -> bool {
        // A worker next to the square must still move before it builds.
        let beside = Geometry::<N>::NEIGHBOURS[square.index()].without(self.occupied());
        self.workers(Side::Mover).into_iter().all(|worker| {
            let steps = Geometry::<N>::NEIGHBOURS[worker.index()] & !self.too_high(worker);
            (steps & beside)
                .into_iter()
                .all(|to| condition(&self.play(Turn::winning(worker, to).building(square))))
        })
    }
}

/// Whether a player can threaten to win with its next turn, in the base game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Initiative {
    /// No: there is no step to level 2 with a space to win on.
    None,
    /// By a step to level 2 and a build that raises a space beside it to level 3.
    StepAndBuild,
    /// By a step to level 2 beside a space of level 3, with any build.
    Step,
}

impl<const N: usize> Position<N> {
    /// The initiative of a player. Threats of a worker that stays on level 2 while the other
    /// one moves do not count.
    #[inline(always)]
    pub fn initiative(&self, side: Side) -> Initiative {
        let around = Geometry::<N>::around;
        let taken = self.occupied() | self.above[3];
        let steps = around(self.workers(side) & self.above[0])
            & self.above[1].without(self.above[2] | taken);
        let beside = around(steps).without(taken);
        if (beside & self.above[2]).any() {
            Initiative::Step
        } else if (beside & self.above[1]).any() {
            Initiative::StepAndBuild
        } else {
            Initiative::None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    /// The turns that build on one of these squares; without those that win.
    fn quiet(position: &Position<5>, builds: Bitboard) -> Vec<Turn> {
        let mut turns = Vec::new();
        position.for_each_quiet(builds, |turn| turns.push(turn));
        turns
    }

    /// The turns after which the opponent has no immediate win.
    fn safe(position: &Position<5>) -> Vec<Turn> {
        quiet(position, position.safe_builds().squares)
    }

    fn all_quiet(position: &Position<5>) -> Vec<Turn> {
        quiet(position, Geometry::<5>::BOARD)
    }

    /// Plays random games of climbing workers with the turns that `turns` finds. Calls `look`
    /// with each position and its turns until a player can win.
    fn climb(
        games: u32,
        seed: u64,
        turns: fn(&Position<5>) -> Vec<Turn>,
        mut look: impl FnMut(&Position<5>, &[Turn]),
    ) {
        let mut rng = crate::seeds::seeded(seed);
        for _ in 0..games {
            let mut position: Position<5> =
                "00000/00000/00000/00000/00000 b3d3 c2c4 0".parse().unwrap();
            while !position.has_win() {
                let turns = turns(&position);
                if turns.is_empty() {
                    break;
                }
                look(&position, &turns);
                position = position.play(climbing(&position, &turns, &mut rng));
            }
        }
    }

    /// One of these turns at random, a climbing one if there is any.
    fn climbing(position: &Position<5>, turns: &[Turn], rng: &mut impl rand::Rng) -> Turn {
        let climbs = |turn: &Turn| position.level(turn.to()) > position.level(turn.from());
        let climbing: Vec<Turn> = turns.iter().copied().filter(climbs).collect();
        let likely = if climbing.is_empty() {
            turns
        } else {
            &climbing
        };
        likely[rng.random_range(0..likely.len())]
    }

    #[test]
    fn safe_builds_are_the_turns_that_do_not_lose_at_once() {
        let mut threatened = 0;
        climb(500, 1, all_quiet, |position, turns| {
            let safe = position.safe_builds();
            for &turn in turns {
                let build = turn.build().unwrap();
                let loses = position.play(turn).has_win();
                assert_eq!(!loses, safe.squares.has(build), "{turn:?} in {position}");
            }
            threatened += u32::from(safe.threats > 0);
        });
        assert!(threatened > 50, "the games must contain threats");
    }

    #[test]
    fn initiative_agrees_with_trying_all_turns() {
        let mut seen = [0; 3];
        climb(500, 5, all_quiet, |position, turns| {
            let mut expected = Initiative::None;
            for turn in turns.iter().filter(|it| position.level(it.to()) == 2) {
                let passed = position.play(*turn).with_players_swapped();
                passed.for_each_win(|win| {
                    if win.from() != turn.to() {
                    } else if turn.build() != Some(win.to()) {
                        expected = Initiative::Step;
                    } else if expected == Initiative::None && win.to() != turn.from() {
                        expected = Initiative::StepAndBuild;
                    }
                });
            }
            assert_eq!(position.initiative(Side::Mover), expected, "{position}");
            let swapped = position.with_players_swapped();
            assert_eq!(swapped.initiative(Side::Other), expected, "{position}");
            seen[expected as usize] += 1;
        });
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }

    #[test]
    fn threatening_builds_allow_a_win_if_the_opponent_passes() {
        let mut seen = [0; 2];
        climb(200, 6, all_quiet, |position, turns| {
            for &turn in turns {
                let beside_other = position.beside_other_worker(turn.from());
                let builds = position.threatening_builds(turn.from(), turn.to(), beside_other);
                let threatens = position.play(turn).with_players_swapped().has_win();
                let build = turn.build().unwrap();
                assert_eq!(builds.has(build), threatens, "{turn:?} in {position}");
                seen[usize::from(threatens)] += 1;
            }
        });
        assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
    }

    #[test]
    fn unstoppable_threats_agree_with_trying_all_answers() {
        let mut found = 0;
        climb(3000, 2, safe, |position, turns| {
            let unstoppable = |&turn: &Turn| {
                let after = position.play(turn);
                after.safe_builds().threats > 0 && safe(&after).is_empty()
            };
            let expected = turns.iter().any(unstoppable);
            let seen = position.has_unstoppable_threat(position.safe_builds().squares);
            assert_eq!(seen, expected, "{position}");
            found += u32::from(seen);
        });
        assert!(found > 300, "the games must contain such threats: {found}");
    }

    /// Whether the mover wins by threats alone, found by trying all turns.
    fn wins_by_trying(position: &Position<5>, more: u32) -> bool {
        position.has_unstoppable_threat(position.safe_builds().squares)
            || more > 0
                && safe(position).into_iter().any(|turn| {
                    let after = position.play(turn);
                    let mut answers = safe(&after).into_iter();
                    after.safe_builds().threats > 0
                        && answers.all(|answer| wins_by_trying(&after.play(answer), more - 1))
                })
    }

    #[test]
    fn wins_by_threats_agree_with_trying_all_answers() {
        let mut found = [0; 3];
        climb(1000, 3, safe, |position, _| {
            let builds = position.safe_builds().squares;
            if position.has_unstoppable_threat(builds) {
                return;
            }
            for more in 1..=2 {
                let seen = position.wins_by_threats(builds, more);
                assert_eq!(seen, wins_by_trying(position, more), "{position}");
                found[more as usize] += u32::from(seen);
            }
        });
        let [_, one, two] = found;
        assert!(
            one > 100 && two > one,
            "the games must contain such wins: {found:?}"
        );
    }
}
