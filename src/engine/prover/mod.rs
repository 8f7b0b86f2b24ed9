//! Proofs by forward search: does the game end within a number of plies?
//!
//! Depth-first proof-number search (A. Nagai, df-pn, 2002) with weak proof numbers (T. Ueda
//! et al., 2008), which count a position once however many lines reach it. It knows the
//! rules and nothing else: no evaluation, and no pruning except of turns that let the
//! opponent win at once. It shares no code with the search or the retrograde analysis, so
//! it can verify both.
//!
//! A node is a position with the plies left. If they are odd, the player to move is the
//! attacker, who must win within them; if even, the defender. Every turn that does not win
//! adds a level, so no line comes back to a position.
//!
//! | to see or change | look at |
//! |---|---|
//! | the search | `mod.rs` (here) |
//! | the table of proof numbers | `table.rs` |

mod table;

use crate::rules::{Bitboard, Blocked, Geometry, Position, Side, Turn};
use table::{Numbers, ProofTable, SOLVED};

/// Searches for proofs. Its table helps with later ones.
pub struct Prover<const N: usize> {
    table: ProofTable,
    /// The nodes expanded so far.
    nodes: u64,
    /// The nodes at which the search ends.
    limit: u64,
}

/// A position after a turn.
struct Child<const N: usize> {
    position: Position<N>,
    numbers: Numbers,
}

impl<const N: usize> Prover<N> {
    /// A prover with a table of about `table_mib` MiB.
    pub fn new(table_mib: usize) -> Self {
        Self {
            table: ProofTable::new(table_mib),
            nodes: 0,
            limit: 0,
        }
    }

    /// The nodes expanded so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the player to move wins within an odd number of plies, or loses
    /// within an even one; `None` if that takes more than `nodes` nodes.
    pub fn ends_within(&mut self, position: &Position<N>, plies: u32, nodes: u64) -> Option<bool> {
        self.limit = self.nodes.saturating_add(nodes);
        let numbers = match self.look_up(position, plies) {
            known if known.is_solved() => known,
            _ => self.search(position, plies, Numbers::UNSOLVED),
        };
        let attacker_moves = plies % 2 == 1;
        match (numbers.is_solved(), numbers.mover == 0) {
            (false, _) => None,
            (true, mover_succeeds) => Some(mover_succeeds == attacker_moves),
        }
    }

    /// The exact number of plies to the end, at most `plies`: the shortest win if odd, the
    /// longest defence if even. `None` if the end is farther away, or if one ply more would
    /// take more than `nodes` nodes.
    pub fn distance(&mut self, position: &Position<N>, plies: u32, nodes: u64) -> Option<u32> {
        for within in 0..=plies {
            if self.ends_within(position, within, nodes)? {
                return Some(within);
            }
        }
        None
    }

    /// Expands a node until it is solved or one of its numbers reaches `most`.
    fn search(&mut self, position: &Position<N>, plies: u32, most: Numbers) -> Numbers {
        self.nodes += 1;
        let begun = self.nodes;
        let mut children = Vec::with_capacity(64);
        for_each_safe(position, |after| {
            children.push(Child {
                numbers: self.look_up(&after, plies - 1),
                position: after,
            });
            true
        });
        loop {
            let numbers = Numbers::of_children(children.iter().map(|child| &child.numbers));
            let is_enough = numbers.mover >= most.mover || numbers.other >= most.other;
            if numbers.is_solved() || is_enough || self.nodes >= self.limit {
                let work = self.nodes - begun;
                self.table.store(key(position, plies), numbers, work);
                return numbers;
            }
            let (best, second) = best_two(&children);
            let open = children
                .iter()
                .filter(|child| !child.numbers.is_solved())
                .count() as u32;
            let most_of_child = Numbers {
                mover: (most.other + 1).saturating_sub(open).max(1),
                // A little more than the second best needs: otherwise the search keeps
                // switching between the two (J. Pawlewicz, L. Lew, 2007).
                other: most
                    .mover
                    .min(second.saturating_add(second / 4 + 1))
                    .min(SOLVED),
            };
            let child = &children[best];
            let found = self.search(&child.position, plies - 1, most_of_child);
            children[best].numbers = found;
        }
    }

    /// The numbers of a node: by the rules, from the table, or a first guess.
    fn look_up(&self, position: &Position<N>, plies: u32) -> Numbers {
        if plies == 0 {
            return Numbers::solved(position.has_turn());
        }
        if position.has_win() {
            return Numbers::solved(true);
        }
        match plies {
            1 => return Numbers::solved(can_block(position)),
            // The defender is lost if every answer lets the attacker win at once.
            2 => return Numbers::solved(has_safe_turn(position)),
            _ => {}
        }
        if let Some(numbers) = self.table.look_up(key(position, plies)) {
            return numbers;
        }
        let attacker_moves = plies % 2 == 1;
        match attacker_moves {
            true => Numbers { mover: 1, other: 1 },
            false => first_guess(position),
        }
    }
}

impl Numbers {
    /// The numbers of a node from its children's.
    fn of_children<'a>(children: impl Iterator<Item = &'a Numbers>) -> Self {
        let mut least = SOLVED;
        let (mut most, mut open) = (0, 0);
        for child in children {
            least = least.min(child.other);
            if child.mover == SOLVED {
                // The opponent fails there, so the mover succeeds.
                return Self::solved(true);
            }
            if !child.is_solved() {
                most = most.max(child.mover);
                open += 1;
            }
        }
        if open == 0 {
            return Self::solved(false);
        }
        Self {
            mover: least,
            other: (most + open - 1).min(SOLVED - 1),
        }
    }
}

/// A first guess at the numbers of a node with the defender to move: the fewer answers to a
/// threat, the closer is the attacker.
fn first_guess<const N: usize>(position: &Position<N>) -> Numbers {
    /// The number of answers assumed where nothing is threatened.
    const QUIET: u32 = 32;
    let is_threatened = match position.has_cards() {
        false => position.safe_builds().threats > 0,
        true => position.with_players_swapped().has_win(),
    };
    let mut answers = 0;
    match is_threatened {
        true => for_each_safe(position, |_| {
            answers += 1;
            true
        }),
        false => answers = QUIET,
    }
    match answers {
        0 => Numbers::solved(false),
        _ => Numbers {
            mover: 1,
            other: 1 + answers / 2,
        },
    }
}

/// The child that is easiest for the player to move, and how hard the second best is.
fn best_two<const N: usize>(children: &[Child<N>]) -> (usize, u32) {
    let (mut best, mut least, mut second) = (0, u32::MAX, SOLVED);
    for (index, child) in children.iter().enumerate() {
        let other = child.numbers.other;
        if other < least {
            second = least.min(SOLVED);
            (best, least) = (index, other);
        } else {
            second = second.min(other);
        }
    }
    (best, second)
}

/// Whether some turn leaves the opponent without a way to win at once.
fn has_safe_turn<const N: usize>(position: &Position<N>) -> bool {
    if !position.has_cards() {
        return has_safe_base_turn(position);
    }
    let mut found = false;
    for_each_safe(position, |after| {
        found = !can_block(&after);
        !found
    });
    found
}

/// The same without cards. Ends with the first such turn.
fn has_safe_base_turn<const N: usize>(position: &Position<N>) -> bool {
    let builds = position.safe_builds().squares;
    position.workers(Side::Mover).exists(|from| {
        position.quiet_steps(from).exists(|to| {
            let safe = position.quiet_builds(from, to) & builds;
            safe.exists(|build| !can_block(&position.play(Turn::winning(from, to).building(build))))
        })
    })
}

/// Whether a turn other than a winning step leaves the opponent without a turn, which also
/// wins.
fn can_block<const N: usize>(position: &Position<N>) -> bool {
    let blocks = |&turn| !position.play(turn).has_turn();
    may_block(position) && position.quiet_turns().iter().any(blocks)
}

/// Whether the opponent has so few steps that a turn could take them all. A turn takes the
/// square it moves to and at most two that it builds on. After most steps the square left
/// can be built on.
fn may_block<const N: usize>(position: &Position<N>) -> bool {
    const MOST_TAKEN: u32 = 3;
    let swapped = position.with_players_swapped();
    let steps = swapped
        .workers(Side::Mover)
        .map(|worker| swapped.steps(worker));
    if position.power(Side::Mover).blocked == Blocked::Stays {
        let steps = steps.fold(Bitboard::EMPTY, |all, steps| all | steps);
        return steps.count() <= MOST_TAKEN;
    }
    // A worker may be displaced to a square that the other then lacks. After a step that
    // swaps or pushes there may be nothing to build on, so the square of the mover's other
    // worker is no way out either.
    steps
        .into_iter()
        .any(|steps| steps.count() <= MOST_TAKEN + 1)
}

/// Calls `visit` with the position after each turn that neither wins nor lets the opponent
/// win at once, until it returns false.
fn for_each_safe<const N: usize>(
    position: &Position<N>,
    mut visit: impl FnMut(Position<N>) -> bool,
) {
    let is_base = !position.has_cards();
    let builds = match is_base {
        true => position.safe_builds().squares,
        false => Geometry::<N>::BOARD,
    };
    let mut goes_on = builds != Bitboard::EMPTY;
    position.for_each_quiet(builds, |turn| {
        if !goes_on {
            return;
        }
        let after = position.play(turn);
        if is_base || !after.has_win() {
            goes_on = visit(after);
        }
    });
}

/// The key of a node.
fn key<const N: usize>(position: &Position<N>, plies: u32) -> u64 {
    position.key() ^ u64::from(plies + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Card, Cards, random_opening};

    /// Whether the mover wins within this many plies, by definition.
    fn won<const N: usize>(position: &Position<N>, plies: u32) -> bool {
        let mut turns = position.turns().into_iter();
        turns.any(|turn| turn.wins() || lost(&position.play(turn), plies - 1))
    }

    fn lost<const N: usize>(position: &Position<N>, plies: u32) -> bool {
        let mut turns = position.turns().into_iter();
        turns.all(|turn| plies > 1 && !turn.wins() && won(&position.play(turn), plies - 1))
    }

    fn check<const N: usize>(cards: Cards) {
        let mut seen = [0, 0];
        for number in 0..40 {
            let position: Position<N> = random_opening(20, 3, number, cards);
            let found = Prover::new(1).ends_within(&position, 3, u64::MAX);
            assert_eq!(found, Some(won(&position, 3)), "{position}");
            seen[usize::from(found == Some(true))] += 1;
        }
        assert!(seen.iter().all(|&count| count > 2), "{seen:?}");
    }

    #[test]
    fn proofs_agree_with_the_definition() {
        check::<5>([None; 2]);
        check::<6>([None; 2]);
        check::<5>([Some(Card::Pan), Some(Card::Minotaur)]);
    }

    #[test]
    fn leaving_the_opponent_without_a_turn_wins() {
        // A build on a4 leaves the other workers no step.
        let text = "44444/44424/42224/24444/01000 d3a4 d2c3 71";
        let position: Position<5> = text.parse().unwrap();
        assert_eq!(Prover::new(1).ends_within(&position, 1, 1), Some(true));
    }
}
