//! Checks the rules of building.

use super::broken_rule::{BrokenRule, Occupant, WinningMove};
use super::change::{Change, Raised};
use super::moving::Reach;
use crate::rules::{Blocked, Building, CAP, Position, Side, Space, Square};

/// The builds of a typed turn: a square for each level.
#[derive(Default)]
pub(super) struct TypedBuilds {
    pub before_move: Vec<Square>,
    pub after_move: Vec<Square>,
}

/// Checks the builds of a turn with a legal move. Boards do not show whether a level was built
/// before or after the move; a typed turn does.
pub(super) fn check<const N: usize>(
    change: &Change<N>,
    reach: Reach,
    typed: Option<&TypedBuilds>,
) -> Result<(), BrokenRule> {
    let worker = Space::of::<N>(change.to);
    let may_build_before = change.power().building == Building::OrBeforeMoving;
    let before = typed.and_then(|builds| builds.before_move.first());
    if let Some(&built) = before.filter(|_| !may_build_before) {
        return Err(BrokenRule::BuiltBeforeMove {
            space: Space::of::<N>(built),
            card: change.card(),
        });
    }
    let Some(first) = change.raised.first() else {
        return if reach.winning {
            Ok(())
        } else {
            Err(BrokenRule::NothingBuilt { worker })
        };
    };
    if !reach.quiet && before.is_none() {
        let why = if change.level(change.to) < change.level(change.from) {
            WinningMove::Down(worker)
        } else {
            WinningMove::Up(worker)
        };
        return Err(BrokenRule::BuiltAfterWin {
            built: Space::of::<N>(first.square),
            why,
        });
    }
    if may_build_before {
        return check_before_and_after(change, typed);
    }
    check_amount(change)?;
    change
        .raised
        .iter()
        .try_for_each(|raised| check_after(change, raised.square))
}

/// Checks how many levels were built on how many spaces, for players that build only after
/// moving.
fn check_amount<const N: usize>(change: &Change<N>) -> Result<(), BrokenRule> {
    let building = change.power().building;
    let most_spaces = match building {
        Building::OrTwoSpaces => 2,
        _ => 1,
    };
    if change.raised.len() > most_spaces {
        return Err(many_spaces(change));
    }
    let fits = |&Raised { low, high, .. }: &Raised| match (building, high - low) {
        (_, 1) => true,
        (Building::OrDome, _) => high == CAP,
        (Building::OrTwoLevels, 2) => high < CAP,
        _ => false,
    };
    match change.raised.iter().find(|raised| !fits(raised)) {
        Some(raised) => Err(many_levels(change, raised)),
        None => Ok(()),
    }
}

fn many_spaces<const N: usize>(change: &Change<N>) -> BrokenRule {
    let spaces = change.raised.iter();
    BrokenRule::ManySpaces {
        spaces: spaces.map(|raised| Space::of::<N>(raised.square)).collect(),
        card: change.card(),
    }
}

fn many_levels<const N: usize>(change: &Change<N>, raised: &Raised) -> BrokenRule {
    BrokenRule::ManyLevels {
        space: Space::of::<N>(raised.square),
        low: raised.low,
        high: raised.high,
        card: change.card(),
    }
}

/// Checks one space that was built on after the move.
fn check_after<const N: usize>(change: &Change<N>, built: Square) -> Result<(), BrokenRule> {
    let space = Space::of::<N>(built);
    if let Some(who) = occupant(change, built) {
        return Err(BrokenRule::BuiltUnder { space, who });
    }
    if !Change::<N>::near(change.to, built) {
        return Err(BrokenRule::NotBeside {
            space,
            worker: Space::of::<N>(change.to),
        });
    }
    Ok(())
}

/// The worker on the space after the move.
fn occupant<const N: usize>(change: &Change<N>, square: Square) -> Option<Occupant> {
    if square == change.to {
        return Some(Occupant::Moved);
    }
    if change.after.workers(Side::Other).has(square) {
        return Some(Occupant::Own);
    }
    if !change.after.workers(Side::Mover).has(square) {
        return None;
    }
    Some(match change.displaced {
        Some((_, target)) if target == square => match change.power().blocked {
            Blocked::Pushes => Occupant::Pushed,
            _ => Occupant::Exchanged,
        },
        _ => Occupant::Opponent,
    })
}

/// Checks the builds of a player that may build before the move as well as after it.
fn check_before_and_after<const N: usize>(
    change: &Change<N>,
    typed: Option<&TypedBuilds>,
) -> Result<(), BrokenRule> {
    let levels = change.raised.iter();
    let levels: Vec<Square> = levels
        .flat_map(|raised| vec![raised.square; usize::from(raised.high - raised.low)])
        .collect();
    match (levels.as_slice(), typed) {
        ([_] | [_, _], Some(typed)) => check_typed(change, typed),
        (&[only], None) => check_after(change, only).map_err(|broken| {
            match check_before(change.before, change.from, only) {
                Ok(()) => BrokenRule::OnlyBeforeMove(Space::of::<N>(only)),
                Err(_) => broken,
            }
        }),
        (&[a, b], None) => check_order(change, a, b).or_else(|broken| {
            check_order(change, b, a).map_err(|other| better_explanation(broken, other))
        }),
        _ => Err(too_much(change)),
    }
}

/// Checks one or two builds in the order in which they were typed.
fn check_typed<const N: usize>(change: &Change<N>, typed: &TypedBuilds) -> Result<(), BrokenRule> {
    for &built in &typed.before_move {
        check_before(change.before, change.from, built)?;
        check_not_up(change, built)?;
    }
    match (typed.before_move.as_slice(), typed.after_move.as_slice()) {
        (&[only], []) => Err(BrokenRule::OnlyBeforeMove(Space::of::<N>(only))),
        ([] | [_], &[after]) => check_after(change, after),
        _ => Err(too_much(change)),
    }
}

/// The rule broken by too many builds of a player that may also build before the move.
fn too_much<const N: usize>(change: &Change<N>) -> BrokenRule {
    let highest = change.raised.iter().max_by_key(|it| it.high - it.low);
    match highest {
        Some(raised) if raised.high - raised.low > 1 && change.raised.len() <= 2 => {
            many_levels(change, raised)
        }
        _ => many_spaces(change),
    }
}

/// Checks a build before the move and one after it.
fn check_order<const N: usize>(
    change: &Change<N>,
    before: Square,
    after: Square,
) -> Result<(), BrokenRule> {
    check_before(change.before, change.from, before)?;
    check_after(change, after)?;
    check_not_up(change, before)
}

/// Checks that the move after a build does not climb.
fn check_not_up<const N: usize>(change: &Change<N>, built: Square) -> Result<(), BrokenRule> {
    let low = change.level(change.from);
    let high = change.level(change.to) + u8::from(built == change.to);
    if high > low {
        return Err(BrokenRule::UpAfterBuilding {
            from: Space::of::<N>(change.from),
            to: Space::of::<N>(change.to),
            low,
            high,
        });
    }
    Ok(())
}

/// Checks one space that was built on before the worker moved away from its square.
pub(super) fn check_before<const N: usize>(
    before: &Position<N>,
    worker: Square,
    built: Square,
) -> Result<(), BrokenRule> {
    let space = Space::of::<N>(built);
    if before.occupied().has(built) {
        return Err(BrokenRule::FirstUnder(space));
    }
    if !Change::<N>::near(worker, built) {
        return Err(BrokenRule::FirstNotBeside {
            space,
            from: Space::of::<N>(worker),
        });
    }
    Ok(())
}

/// The better of the explanations for the two orders of the builds: the one that finds more
/// of the turn legal.
fn better_explanation(a: BrokenRule, b: BrokenRule) -> BrokenRule {
    let rank = |broken: &BrokenRule| match broken {
        BrokenRule::UpAfterBuilding { .. } => 2,
        BrokenRule::FirstNotBeside { .. } | BrokenRule::FirstUnder(_) => 0,
        _ => 1,
    };
    if rank(&b) > rank(&a) { b } else { a }
}
