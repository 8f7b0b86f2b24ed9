//! Games between engines of this program.

use std::sync::atomic::{AtomicBool, Ordering};

use super::game::{Action, PlayedGame};
use super::pair::Pair;
use crate::rules::Position;
use crate::search::{Engine, EngineOptions, Limits, Report, is_proved};

impl Action {
    /// The action for the result of a search: plays the turn found, or ends the game if the
    /// search proved its outcome.
    pub fn of_search(report: &Report) -> Self {
        let score = report.score();
        match report.turn() {
            Some(turn) if !is_proved(score) => Self::Play(turn),
            _ => Self::Adjudicate {
                mover_wins: score > 0,
            },
        }
    }
}

/// Plays two games from one board, with the seats swapped; `limits` apply to each turn.
/// With fixed nodes the outcome is reproducible. Once `stop` is set, the function returns
/// soon and its result is meaningless.
pub fn engine_pair<const N: usize>(
    opening: Position<N>,
    players: [EngineOptions; 2],
    limits: &Limits,
    stop: &AtomicBool,
) -> Pair {
    Pair::play(|order| first_mover_wins(opening, order.map(|player| players[player]), limits, stop))
}

/// Plays one game; the first of the players moves first.
fn first_mover_wins<const N: usize>(
    opening: Position<N>,
    players: [EngineOptions; 2],
    limits: &Limits,
    stop: &AtomicBool,
) -> bool {
    let mut engines = players.map(Engine::<N>::new);
    let first = opening.player();
    let game = PlayedGame::play(opening, |player, position| {
        if stop.load(Ordering::Relaxed) {
            return Action::STOPPED;
        }
        let engine = &mut engines[player ^ first];
        Action::of_search(&engine.search(position, limits, stop, &mut |_| {}))
    });
    game.first_mover_won()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::eval::{EvalKind, Weights};
    use crate::jobs::NEVER;
    use crate::openings::random_opening;
    use crate::rules::{Card, Cards};
    use crate::search::{ParamSets, Params};

    fn mover_wins<const N: usize>(opening: Position<N>, players: [EngineOptions; 2]) -> bool {
        first_mover_wins(opening, players, &Limits::nodes(1000), &NEVER)
    }

    fn player(params: Params) -> EngineOptions {
        EngineOptions {
            hash_mib: 1,
            eval: EvalKind::Weighted(Weights::TUNED),
            params: ParamSets::same(params),
            ..EngineOptions::default()
        }
    }

    /// Checks that pairs of two different players name the winners, and that a player
    /// against itself wins one game of each pair.
    fn check_pairs<const N: usize>(cards: &[Cards]) {
        let one = player(Params::DEFAULT);
        let other = player(Params {
            late_move_pruning_depth: 0,
            climb_value: 0,
            ..Params::DEFAULT
        });
        let mut seen = BTreeSet::new();
        for number in 0..20 {
            let cards = cards[number % cards.len()];
            let opening: Position<N> = random_opening(number as u32 % 2, 1, number as u64, cards);
            let pair = |players| engine_pair(opening, players, &Limits::nodes(1000), &NEVER);
            assert_eq!(pair([one, one]).wins(), 1);
            let expected = Pair {
                moving_first: mover_wins(opening, [one, other]),
                moving_second: !mover_wins(opening, [other, one]),
            };
            assert_eq!(pair([one, other]), expected);
            let turned = Pair {
                moving_first: !expected.moving_second,
                moving_second: !expected.moving_first,
            };
            assert_eq!(pair([other, one]), turned);
            seen.insert(expected.wins());
        }
        assert!(seen.len() > 1, "{seen:?}");
    }

    #[test]
    fn pairs_name_the_winners_and_equal_players_tie() {
        let cards: Vec<Cards> = Card::pairs().map(|pair| pair.map(Some)).collect();
        check_pairs::<5>(&cards);
        check_pairs::<6>(&[[None; 2]]);
    }

    #[test]
    fn the_stronger_engine_wins_more_games_from_both_seats() {
        let strong = player(Params::DEFAULT);
        // It evaluates only mobility.
        let mut weights = Weights::TUNED;
        weights.height = 0;
        let weak = EngineOptions {
            eval: EvalKind::Weighted(weights),
            ..strong
        };
        for turns in [2, 3] {
            let pair = |number| {
                let opening: Position<5> = random_opening(turns, 1, number, [None; 2]);
                engine_pair(opening, [strong, weak], &Limits::nodes(300), &NEVER)
            };
            let wins: u64 = (0..10).map(|number| pair(number).wins()).sum();
            assert!(wins > 12, "{wins} of 20 after {turns} turns");
        }
    }

    #[test]
    fn a_game_ends_once_its_outcome_is_proved() {
        // First, the mover's worker on c3 climbs to level 3. Then, the mover cannot stop
        // the opponent's worker on c3.
        for (board, wins) in [
            ("00000/00030/00200/00000/00000 c3a1 e1e5 10", true),
            ("00000/00330/00200/00000/00000 a1a2 c3e1 11", false),
        ] {
            let opening: Position<5> = board.parse().unwrap();
            let players = [player(Params::DEFAULT); 2];
            assert_eq!(mover_wins(opening, players), wins, "{board}");
        }
    }
}
