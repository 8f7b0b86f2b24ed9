//! Generates the turns of a small game, by the same rules as `rules/`, for boards of any
//! shape and one or two workers each. Tests compare both generators.

use std::collections::HashSet;

use super::game::{Heights, SmallGame};
use super::shape::{SquareSet, set_of, squares_of};
use super::state::SmallState;
use crate::rules::{Blocked, Building, CAP, Power};

/// No square.
const NOWHERE: u8 = u8::MAX;

/// A turn. Different turns may lead to the same state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SmallTurn {
    from: u8,
    to: u8,
    /// The square between two steps, or [`NOWHERE`].
    via: u8,
    /// The new square of the worker that stood on `to`, or [`NOWHERE`].
    displaced: u8,
    /// The squares built on, then [`NOWHERE`].
    builds: [u8; 2],
    /// Whether the first of two builds comes before the move.
    builds_first: bool,
    /// Whether the only build is a dome on a lower level.
    dome: bool,
}

impl SmallTurn {
    /// Whether the turn wins.
    pub const fn wins(&self) -> bool {
        self.builds[0] == NOWHERE
    }

    /// The squares built on, in order.
    pub fn builds(&self) -> impl Iterator<Item = usize> + use<> {
        let builds = self.builds.into_iter();
        builds.filter(|&square| square != NOWHERE).map(usize::from)
    }

    /// Whether the turn builds a dome below level 3.
    pub const fn is_dome(&self) -> bool {
        self.dome
    }

    /// The workers of both players after the turn, the next player to move first.
    #[inline(always)]
    pub const fn workers_after(&self, [mover, other]: [SquareSet; 2]) -> [SquareSet; 2] {
        let mover = mover & !(1 << self.from) | 1 << self.to;
        let other = if self.displaced == NOWHERE {
            other
        } else {
            other & !(1 << self.to) | 1 << self.displaced
        };
        [other, mover]
    }

    /// The notation of the turn, as for [`crate::rules::Turn`].
    pub fn text(&self, game: &SmallGame) -> String {
        let name = |square: u8| game.shape.square_text(square.into());
        let mut text = name(self.from);
        let [first, second] = self.builds;
        if self.builds_first {
            text += &format!("+{}", name(first));
        }
        if self.via != NOWHERE {
            text += &format!("-{}", name(self.via));
        }
        text.push(if self.displaced == NOWHERE { '-' } else { 'x' });
        text += &name(self.to);
        let later = match (self.wins(), self.builds_first) {
            (true, _) => return text + "#",
            (false, true) => [second, NOWHERE],
            (false, false) => [first, second],
        };
        for build in later.into_iter().filter(|&build| build != NOWHERE) {
            text.push(if self.dome { '^' } else { '+' });
            text += &name(build);
        }
        text
    }
}

impl SmallState {
    /// The state after a turn. After one that wins, the game is over.
    pub fn after(&self, turn: &SmallTurn, game: &SmallGame) -> Self {
        let mut heights = self.heights;
        for square in turn.builds() {
            heights[square] = if turn.dome { CAP } else { heights[square] + 1 };
        }
        Self {
            heights,
            workers: turn.workers_after(self.workers),
            side: game.next_side(self.side),
        }
    }

    /// All turns, including different turns to the same state.
    pub fn turns(&self, game: &SmallGame) -> Vec<SmallTurn> {
        let mut turns = Vec::new();
        for_each_turn(game, self, |turn| turns.push(turn));
        turns
    }

    /// All turns, but only one of several to the same state.
    pub fn distinct_turns(&self, game: &SmallGame) -> Vec<SmallTurn> {
        let mut turns = self.turns(game);
        let mut states = HashSet::new();
        turns.retain(|turn| states.insert(self.after(turn, game)));
        turns
    }
}

/// Calls `visit` with every turn of the player to move.
#[inline(always)]
pub(super) fn for_each_turn(game: &SmallGame, state: &SmallState, visit: impl FnMut(SmallTurn)) {
    let mut mover = Mover {
        game,
        power: game.power(state.side),
        own: state.workers[0],
        other: state.workers[1],
        visit,
    };
    for from in squares_of(state.workers[0]) {
        mover.turns_of(from, &state.heights);
    }
}

/// The player to move, and the callback for its turns.
struct Mover<'a, V> {
    game: &'a SmallGame,
    power: Power,
    own: SquareSet,
    other: SquareSet,
    visit: V,
}

impl<V: FnMut(SmallTurn)> Mover<'_, V> {
    #[inline(always)]
    fn turns_of(&mut self, from: usize, heights: &Heights) {
        let start = SmallTurn {
            from: from as u8,
            to: from as u8,
            via: NOWHERE,
            displaced: NOWHERE,
            builds: [NOWHERE; 2],
            builds_first: false,
            dome: false,
        };
        for to in squares_of(self.game.neighbours[from]) {
            let Some(turn) = self.step(start, from, to, heights) else {
                continue;
            };
            if self.wins(from, to, heights) {
                (self.visit)(turn);
                continue;
            }
            self.build(turn, heights);
            if self.power.moves_twice {
                self.move_again(turn, heights);
            }
        }
        if self.power.building == Building::OrBeforeMoving {
            self.build_first(start, heights);
        }
    }

    /// The turn extended by a step from `at` to a neighbour, if that is legal.
    #[inline(always)]
    fn step(&self, turn: SmallTurn, at: usize, to: usize, heights: &Heights) -> Option<SmallTurn> {
        let is_low = heights[to] <= heights[at] + 1 && heights[to] < CAP;
        let is_own = self.own >> to & 1 != 0 && to != usize::from(turn.from);
        if !is_low || is_own {
            return None;
        }
        let displaced = if self.other >> to & 1 == 0 {
            NOWHERE
        } else {
            self.displaced(at, to, heights)?
        };
        Some(SmallTurn {
            to: to as u8,
            displaced,
            ..turn
        })
    }

    /// The new square of the opponent's worker on `to`; `None` if it cannot be displaced.
    fn displaced(&self, from: usize, to: usize, heights: &Heights) -> Option<u8> {
        match self.power.blocked {
            Blocked::Stays => None,
            Blocked::Swaps => Some(from as u8),
            Blocked::Pushes => {
                let target = self.game.shape.beyond(from, to)?;
                let is_free = (self.own | self.other) >> target & 1 == 0 && heights[target] < CAP;
                is_free.then_some(target as u8)
            }
        }
    }

    #[inline(always)]
    fn wins(&self, from: usize, to: usize, heights: &Heights) -> bool {
        let (from, to) = (heights[from], heights[to]);
        from < 3 && to == 3 || self.power.wins_by_falling && to + 2 <= from
    }

    fn move_again(&mut self, first: SmallTurn, heights: &Heights) {
        let via = usize::from(first.to);
        for to in squares_of(self.game.neighbours[via] & !(1 << first.from)) {
            let Some(turn) = self.step(first, via, to, heights) else {
                continue;
            };
            let turn = SmallTurn {
                via: via as u8,
                ..turn
            };
            if self.wins(via, to, heights) {
                (self.visit)(turn);
            } else {
                self.build(turn, heights);
            }
        }
    }

    fn build_first(&mut self, start: SmallTurn, heights: &Heights) {
        let from = usize::from(start.from);
        let near = self.game.neighbours[from] & !(self.own | self.other);
        for first in squares_of(near).filter(|&square| heights[square] < CAP) {
            let mut built = *heights;
            built[first] += 1;
            for to in squares_of(self.game.neighbours[from]) {
                let turn = self.step(start, from, to, &built);
                let Some(turn) = turn.filter(|_| built[to] <= built[from]) else {
                    continue;
                };
                for second in squares_of(self.buildable(&turn, &built)) {
                    (self.visit)(SmallTurn {
                        builds: [first as u8, second as u8],
                        builds_first: true,
                        ..turn
                    });
                }
            }
        }
    }

    /// The squares that can be built on after the move.
    #[inline(always)]
    fn buildable(&self, turn: &SmallTurn, heights: &Heights) -> SquareSet {
        let [other, own] = turn.workers_after([self.own, self.other]);
        let near = self.game.neighbours[usize::from(turn.to)] & !(own | other);
        set_of(squares_of(near).filter(|&square| heights[square] < CAP))
    }

    #[inline(always)]
    fn build(&mut self, turn: SmallTurn, heights: &Heights) {
        let squares = self.buildable(&turn, heights);
        for build in squares_of(squares) {
            let once = SmallTurn {
                builds: [build as u8, NOWHERE],
                ..turn
            };
            (self.visit)(once);
            match self.power.building {
                Building::Once | Building::OrBeforeMoving => {}
                Building::OrDome if heights[build] < 3 => {
                    (self.visit)(SmallTurn { dome: true, ..once })
                }
                Building::OrTwoLevels if heights[build] < 2 => {
                    (self.visit)(SmallTurn {
                        builds: [build as u8; 2],
                        ..turn
                    });
                }
                Building::OrDome | Building::OrTwoLevels => {}
                Building::OrTwoSpaces => {
                    // Of two builds, the lower square comes first.
                    for second in squares_of(squares & (SquareSet::MAX << build << 1)) {
                        (self.visit)(SmallTurn {
                            builds: [build as u8, second as u8],
                            ..turn
                        });
                    }
                }
            }
        }
    }
}
