//! A broken rule for programs: its name, and the spaces that it is about.

use super::BrokenRule;
use crate::rules::Space;

impl BrokenRule {
    /// The name of the rule, such as `too-high`. Programs read it, so it must not change.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NoBoard(..) => "no-board",
            Self::OntoCap(..) => "onto-cap",
            Self::DomeUnder(..) => "dome-under",
            Self::SharedSpace(..) => "shared-space",
            Self::OntoOpponent(..) => "onto-opponent",
            Self::NotExchanged(..) => "not-exchanged",
            Self::NotPushed(..) => "not-pushed",
            Self::GameWon(..) => "game-won",
            Self::NoTurnLeft => "no-turn-left",
            Self::NothingDone => "nothing-done",
            Self::NotSwapped => "not-swapped",
            Self::Transposed { .. } => "transposed",
            Self::OtherCards { .. } => "other-cards",
            Self::TurnNumber { .. } => "turn-number",
            Self::NoWorkerMoved { .. } => "nobody-moved",
            Self::BothMoved { .. } => "both-moved",
            Self::OpponentMoved { .. } => "opponent-moved",
            Self::OpponentsMoved { .. } => "opponents-moved",
            Self::TooFar { .. } => "too-far",
            Self::TooHigh { .. } => "too-high",
            Self::ToCap { .. } => "to-cap",
            Self::NoWay { .. } => "no-way",
            Self::WrongExchange { .. } => "wrong-exchange",
            Self::WrongPush { .. } => "wrong-push",
            Self::PushOffBoard { .. } => "push-off-board",
            Self::PushOntoWorker { .. } => "push-onto-worker",
            Self::PushOntoCap { .. } => "push-onto-cap",
            Self::Lowered { .. } => "lowered",
            Self::NothingBuilt { .. } => "nothing-built",
            Self::BuiltAfterWin { .. } => "built-after-win",
            Self::BuiltUnder { .. } => "built-under",
            Self::NotBeside { .. } => "not-beside",
            Self::ManySpaces { .. } => "many-spaces",
            Self::ManyLevels { .. } => "many-levels",
            Self::BuiltBeforeMove { .. } => "built-before-move",
            Self::FirstNotBeside { .. } => "first-not-beside",
            Self::OnlyBeforeMove(..) => "only-before-move",
            Self::FirstUnder(..) => "first-under",
            Self::UpAfterBuilding { .. } => "up-after-building",
            Self::NoSuchTurn => "no-such-turn",
        }
    }

    /// Where the worker that breaks the rule stood before the turn, if one does.
    pub fn worker(&self) -> Option<Space> {
        match *self {
            Self::OpponentMoved { from, .. }
            | Self::TooFar { from, .. }
            | Self::TooHigh { from, .. }
            | Self::ToCap { from, .. }
            | Self::NoWay { from, .. }
            | Self::WrongExchange { from, .. }
            | Self::WrongPush { from, .. }
            | Self::PushOffBoard { from, .. }
            | Self::PushOntoWorker { from, .. }
            | Self::PushOntoCap { from, .. }
            | Self::FirstNotBeside { from, .. }
            | Self::UpAfterBuilding { from, .. } => Some(from),
            _ => None,
        }
    }

    /// The space where the rule is broken: the one moved to or built on.
    pub fn space(&self) -> Option<Space> {
        match *self {
            Self::OntoCap(space)
            | Self::DomeUnder(space)
            | Self::SharedSpace(space)
            | Self::OntoOpponent(space)
            | Self::NotExchanged(space)
            | Self::NotPushed(space)
            | Self::Lowered { space, .. }
            | Self::BuiltUnder { space, .. }
            | Self::NotBeside { space, .. }
            | Self::ManyLevels { space, .. }
            | Self::BuiltBeforeMove { space, .. }
            | Self::FirstNotBeside { space, .. }
            | Self::OnlyBeforeMove(space)
            | Self::FirstUnder(space) => Some(space),
            Self::OpponentMoved { to, .. }
            | Self::TooFar { to, .. }
            | Self::TooHigh { to, .. }
            | Self::ToCap { to, .. }
            | Self::NoWay { to, .. }
            | Self::PushOffBoard { to, .. }
            | Self::UpAfterBuilding { to, .. } => Some(to),
            Self::WrongExchange { target, .. }
            | Self::WrongPush { target, .. }
            | Self::PushOntoWorker { target, .. }
            | Self::PushOntoCap { target, .. } => Some(target),
            Self::NothingBuilt { worker } => Some(worker),
            Self::BuiltAfterWin { built, .. } => Some(built),
            Self::GameWon(space) => space,
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::Position;
    use crate::verdict::broken_rule;

    #[test]
    fn broken_rules_name_worker_and_space() {
        let position: Position<5> = "00000/00020/00000/00000/00000 b3d3 a1a5 4".parse().unwrap();
        let parts = |line| {
            let rule = broken_rule(&position, line).unwrap();
            let name = |space: Option<_>| space.map(|space: crate::rules::Space| space.to_string());
            (rule.name(), name(rule.worker()), name(rule.space()))
        };
        let [d1, d2, d3, d4] =
            ["d1 (1,4)", "d2 (2,4)", "d3 (3,4)", "d4 (4,4)"].map(|it| Some(it.into()));
        assert_eq!(parts("d3-d2+e2"), ("too-high", d3.clone(), d2));
        assert_eq!(parts("d3-d1+e1"), ("too-far", d3, d1));
        assert_eq!(parts("d3-d4"), ("nothing-built", None, d4));
        assert_eq!(broken_rule(&position, "e5-e4+e5"), None);
    }
}
