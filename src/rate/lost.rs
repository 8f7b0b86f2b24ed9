//! The turn by which a lost game was lost: the one of the loser that gave away the
//! most of its chance to win, by a review of the game.

use serde::Serialize;

use crate::jobs::Jobs;
use crate::record::GameRecord;
use crate::review::{GameReview, review};
use crate::rules::Turn;
use crate::search::{Engine, EngineOptions, Limits};

/// The nodes of the search of each board.
const NODES: u64 = 5000;

/// Enough for searches of so few nodes.
const HASH_MIB: usize = 4;

/// A lost game with its review.
#[derive(Debug, Clone, PartialEq)]
pub struct LostGame {
    /// The number of the game.
    pub game: u64,
    pub review: GameReview<5>,
    /// The turn that gave away the most; `None` if the loser made no turn.
    pub turning: Option<Turning>,
}

/// A turn that lost a game, and a better one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Turning {
    /// The number of turns played after it, as it stands on the board.
    pub number: u32,
    pub played: String,
    pub better: String,
    /// The chance to win before it, by the best turn, and after it.
    pub before: f64,
    pub after: f64,
}

/// Finds the turns by which a player lost, in all games that it lost on the
/// board. `done` is called after each of them. Fewer games come back if the
/// jobs are stopped.
pub fn lost_games(
    games: &[GameRecord],
    player: &str,
    jobs: &Jobs,
    mut done: impl FnMut(),
) -> Vec<LostGame> {
    let lost: Vec<(&GameRecord, usize)> = games
        .iter()
        .filter_map(|game| Some((game, lost_by(game, player)?)))
        .collect();
    let mut found = Vec::new();
    let work = |index: u64| {
        let (game, loser) = lost[index as usize];
        reviewed(game, loser, jobs)
    };
    // Nothing that `take` does can fail.
    let _ = jobs.run(0..lost.len() as u64, work, |_, game| -> Result<(), ()> {
        done();
        found.extend(game);
        Ok(())
    });
    found
}

/// The seat of the player in a game that it lost on the board.
fn lost_by(game: &GameRecord, player: &str) -> Option<usize> {
    let seat = game.players.iter().position(|name| name == player)?;
    let winner = usize::from(game.winner?);
    (winner != seat && game.why.is_none()).then_some(seat)
}

/// `None` if the game cannot be played again, or the work was stopped.
fn reviewed(game: &GameRecord, loser: usize, jobs: &Jobs) -> Option<LostGame> {
    let replay = game.replay::<5>().ok()?;
    let mut engine = Engine::new(EngineOptions {
        hash_mib: HASH_MIB,
        ..EngineOptions::default()
    });
    let (start, limits) = (&replay.positions[0], Limits::nodes(NODES));
    let review = review(
        start,
        &replay.turns,
        &mut engine,
        &limits,
        jobs.stop,
        &mut |_, _| {},
    )?;
    let turns = review.turns.iter().zip(1..);
    let own = turns.filter(|(turn, _)| turn.player() == loser);
    let worst = own.max_by(|(a, _), (b, _)| a.lost().total_cmp(&b.lost()));
    let text = |turn: &Turn| turn.text::<5>().to_string();
    let turning = worst.map(|(turn, number)| Turning {
        number: start.turn() + number,
        played: text(&turn.played),
        better: turn.best.turns.first().map(text).unwrap_or_default(),
        before: turn.chance_before,
        after: turn.chance_after,
    });
    Some(LostGame {
        game: game.game,
        review,
        turning,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use serde_json::json;

    use super::*;

    /// Player A wins by its second turn, which B could have stopped.
    fn game() -> GameRecord {
        serde_json::from_value(json!({
            "game": 3, "players": ["A", "B"],
            "start": {"players": [[[2, 1], [5, 1]], [[3, 3], [5, 5]]],
                      "spaces": [[2, 3, 0, 0, 0], [1, 1, 0, 0, 0], [0, 0, 0, 0, 0],
                                 [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]],
                      "turn": 0},
            "turns": ["a2-a1+a2", "e5-e4+e5", "a1-b1#"],
            "seconds": [0.1, 0.1, 0.1], "winner": 0, "ending": "win",
        }))
        .unwrap()
    }

    fn found(games: &[GameRecord], player: &str) -> Vec<LostGame> {
        let stop = AtomicBool::new(false);
        let jobs = Jobs {
            threads: 2,
            stop: &stop,
        };
        let mut done = 0;
        let lost = lost_games(games, player, &jobs, || done += 1);
        assert_eq!(done, lost.len());
        lost
    }

    #[test]
    fn the_turn_that_let_the_other_win_is_found() {
        let lost = found(&[game()], "B");
        assert_eq!((lost.len(), lost[0].game), (1, 3));
        assert_eq!(lost[0].review.chances.len(), 4);
        let turning = lost[0].turning.as_ref().unwrap();
        assert_eq!((turning.number, turning.played.as_str()), (2, "e5-e4+e5"));
        // It caps b1, or builds on it from near.
        assert!(
            turning.better.contains("b1") || turning.before > 0.0,
            "{turning:?}"
        );
        assert_eq!(turning.after, 0.0);
        // A wins, who moved first.
        assert_eq!(lost[0].review.chances[3], 1.0);
    }

    #[test]
    fn won_games_and_faults_are_left_out() {
        assert!(found(&[game()], "A").is_empty());
        assert!(found(&[game()], "C").is_empty());
        let mut fault = game();
        fault.why = Some("B crashed".into());
        assert!(found(&[fault], "B").is_empty());
    }
}
