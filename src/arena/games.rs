//! Pairs of games between two engines.

use std::sync::atomic::AtomicBool;

use crate::openings::balanced::Start;
use crate::rules::Position;
use crate::search::{Engine, EngineOptions, Limits, first_mover_wins};

/// The games of a match. At fixed nodes a pair depends on nothing but these,
/// its number and its players.
#[derive(Clone, Debug)]
pub struct Games<const N: usize> {
    pub start: Start<N>,
    /// What each turn may use.
    pub limits: Limits,
    pub seed: u64,
}

/// Which games of a pair the first of two players won: that in which it moved
/// first, and the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    pub moving_first: bool,
    pub moving_second: bool,
}

impl Pair {
    /// How many of both games it won.
    pub fn wins(self) -> u64 {
        u64::from(self.moving_first) + u64::from(self.moving_second)
    }
}

impl<const N: usize> Games<N> {
    /// Plays two games from one opening, with seats changed. Once `stop` is
    /// set the answer comes soon and means nothing.
    pub fn pair(&self, number: u64, players: [EngineOptions; 2], stop: &AtomicBool) -> Pair {
        let opening = self.start.board(self.seed, number, stop);
        let [first, second] = players;
        Pair {
            moving_first: self.mover_wins(opening, [first, second], stop),
            moving_second: !self.mover_wins(opening, [second, first], stop),
        }
    }

    /// Whether the first of two players wins, who moves first.
    fn mover_wins(
        &self,
        opening: Position<N>,
        players: [EngineOptions; 2],
        stop: &AtomicBool,
    ) -> bool {
        let mut engines = players.map(Engine::<N>::new);
        first_mover_wins(opening, |mover, position| {
            engines[mover].search(position, &self.limits, stop, &mut |_| {})
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::eval::{EvalKind, Weights};
    use crate::openings::balanced::RandomStart;
    use crate::search::{MAX_EVAL, ParamSets, Params};

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn games<const N: usize>(cards: bool) -> Games<N> {
        Games {
            start: Start::Random(RandomStart {
                cards,
                turns: 0,
                margin: MAX_EVAL,
            }),
            limits: Limits::nodes(1000),
            seed: 1,
        }
    }

    fn player(params: Params) -> EngineOptions {
        EngineOptions {
            hash_mib: 1,
            eval: EvalKind::Weighted(Weights::TUNED),
            params: ParamSets::same(params),
            ..EngineOptions::default()
        }
    }

    /// The pairs of two players that differ say who won; a player against
    /// itself wins one game of each.
    fn check_pairs<const N: usize>(games: &Games<N>) {
        let one = player(Params::DEFAULT);
        let other = player(Params {
            late_move_pruning_depth: 0,
            policy_weight: 0,
            ..Params::DEFAULT
        });
        let mut seen = BTreeSet::new();
        for number in 0..20 {
            assert_eq!(games.pair(number, [one, one], &NEVER).wins(), 1);
            let opening = games.start.board(games.seed, number, &NEVER);
            let pair = games.pair(number, [one, other], &NEVER);
            let expected = Pair {
                moving_first: games.mover_wins(opening, [one, other], &NEVER),
                moving_second: !games.mover_wins(opening, [other, one], &NEVER),
            };
            assert_eq!(pair, expected);
            let turned = Pair {
                moving_first: !pair.moving_second,
                moving_second: !pair.moving_first,
            };
            assert_eq!(games.pair(number, [other, one], &NEVER), turned);
            seen.insert(pair.wins());
        }
        assert!(seen.len() > 1, "{seen:?}");
    }

    #[test]
    fn who_wins_from_both_seats_is_better_and_equal_players_tie() {
        check_pairs(&games::<5>(true));
        check_pairs(&games::<6>(false));
    }

    #[test]
    fn a_game_ends_with_what_is_proved() {
        let games = games::<5>(true);
        // The worker on c3 climbs to the third level, or the other cannot stop
        // the one on c3 from doing so by b4 and c4.
        for (board, wins) in [
            ("00000/00030/00200/00000/00000 c3a1 e1e5 10", true),
            ("00000/00330/00200/00000/00000 a1a2 c3e1 11", false),
        ] {
            let opening = board.parse().unwrap();
            let players = [player(Params::DEFAULT); 2];
            assert_eq!(games.mover_wins(opening, players, &NEVER), wins, "{board}");
        }
    }
}
