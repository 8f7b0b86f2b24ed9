//! Checks the rules of moving, and whether the move wins.

use super::broken_rule::{BrokenRule, Detours, Obstacle};
use super::change::Change;
use crate::rules::{Blocked, CAP, Geometry, Power, Space, Square};

/// How a legal move can have been made. With two moves both fields can be true: one path
/// wins, another does not.
#[derive(Clone, Copy, Default)]
pub(super) struct Reach {
    /// By a winning move.
    pub winning: bool,
    /// Without a win.
    pub quiet: bool,
}

/// Checks the move of the worker and of a displaced opponent's worker.
pub(super) fn check<const N: usize>(change: &Change<N>) -> Result<Reach, BrokenRule> {
    let power = change.power();
    if let Some((from, to)) = change.displaced
        && (power.blocked == Blocked::Stays || from != change.to)
    {
        return Err(BrokenRule::OpponentMoved {
            from: Space::of::<N>(from),
            to: Space::of::<N>(to),
            card: change.card(),
        });
    }
    let reach = if power.moves_twice {
        two_moves(change)?
    } else {
        one_move(change)?
    };
    check_displaced(change)?;
    Ok(reach)
}

/// Whether a step from one level to another wins.
fn wins(power: Power, low: u8, high: u8) -> bool {
    (low, high) == (2, 3) || power.wins_by_falling && high + 2 <= low
}

fn one_move<const N: usize>(change: &Change<N>) -> Result<Reach, BrokenRule> {
    let [from, to] = [change.from, change.to].map(Space::of::<N>);
    if !Change::<N>::near(change.from, change.to) {
        return Err(BrokenRule::TooFar { from, to });
    }
    let (low, high) = (change.level(change.from), change.level(change.to));
    if high == CAP {
        return Err(BrokenRule::ToCap { from, to });
    }
    if high > low + 1 {
        return Err(BrokenRule::TooHigh {
            from,
            to,
            low,
            high,
        });
    }
    let winning = wins(change.power(), low, high);
    Ok(Reach {
        winning,
        quiet: !winning,
    })
}

/// Checks one move, or two over any space in between.
fn two_moves<const N: usize>(change: &Change<N>) -> Result<Reach, BrokenRule> {
    let (from, to) = (change.from, change.to);
    let neighbours = Geometry::<N>::NEIGHBOURS;
    let mut reach = Reach::default();
    let mut detours = Detours::default();
    if Change::<N>::near(from, to) {
        match one_move(change) {
            Ok(direct) => reach = direct,
            Err(_) => {
                detours.direct = Some(Obstacle::FirstClimb {
                    low: change.level(from),
                    high: change.level(to),
                })
            }
        }
    }
    for via in neighbours[from.index()] & neighbours[to.index()] {
        match move_over(change, via) {
            Ok(true) => reach.winning = true,
            Ok(false) => reach.quiet = true,
            Err(obstacle) => detours.over.push((Space::of::<N>(via), obstacle)),
        }
    }
    if reach.winning || reach.quiet {
        return Ok(reach);
    }
    Err(BrokenRule::NoWay {
        from: Space::of::<N>(from),
        to: Space::of::<N>(to),
        detours,
    })
}

/// Whether the two moves over a space win, or the obstacle on that path.
fn move_over<const N: usize>(change: &Change<N>, via: Square) -> Result<bool, Obstacle> {
    let [low, middle, high] = [change.from, via, change.to].map(|square| change.level(square));
    if change.before.occupied().has(via) {
        return Err(Obstacle::Worker);
    }
    if middle == CAP {
        return Err(Obstacle::Cap);
    }
    if middle > low + 1 {
        return Err(Obstacle::FirstClimb { low, high: middle });
    }
    if wins(change.power(), low, middle) {
        return Err(Obstacle::FirstWins);
    }
    if high > middle + 1 {
        return Err(Obstacle::SecondClimb { low: middle, high });
    }
    Ok(wins(change.power(), middle, high))
}

/// Checks where the displaced worker went.
fn check_displaced<const N: usize>(change: &Change<N>) -> Result<(), BrokenRule> {
    let Some((_, went)) = change.displaced else {
        return Ok(());
    };
    let [from, to, target] = [change.from, change.to, went].map(Space::of::<N>);
    if change.power().blocked == Blocked::Swaps {
        return match went == change.from {
            true => Ok(()),
            false => Err(BrokenRule::WrongExchange { from, to, target }),
        };
    }
    let Some(behind) = Geometry::<N>::beyond(change.from, change.to) else {
        return Err(BrokenRule::PushOffBoard { from, to });
    };
    let expected = Space::of::<N>(behind);
    if change.level(behind) == CAP {
        return Err(BrokenRule::PushOntoCap {
            from,
            to,
            target: expected,
        });
    }
    if change.before.occupied().has(behind) {
        return Err(BrokenRule::PushOntoWorker {
            from,
            to,
            target: expected,
        });
    }
    if went != behind {
        return Err(BrokenRule::WrongPush {
            from,
            to,
            expected,
            target,
        });
    }
    Ok(())
}
