//! The turn by which a lost game was lost: the one after which the chance to
//! win is the furthest below that of the best turn.

use serde::Serialize;

use crate::eval::EvalKind;
use crate::jobs::Jobs;
use crate::openings::Analyst;
use crate::record::{GameRecord, Replay};
use crate::review::chance;
use crate::rules::Position;

/// The nodes of the search of each board.
const NODES: u64 = 5000;

/// Enough for searches of so few nodes.
const HASH_MIB: usize = 4;

/// A lost game with the chance to win on each of its boards.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LostGame {
    /// The number of the game.
    pub game: u64,
    /// The loser's chance, 0 to 1, on the start board and after each turn.
    pub chances: Vec<f64>,
    /// The turn that lost the most; `None` if the loser made no turn.
    pub turning: Option<Turning>,
}

/// A turn that lost a game, and a better one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Turning {
    /// Its index among the turns of the game.
    pub index: usize,
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
        let replay = game.replay::<5>().ok()?;
        Some(analysed(game, &replay, loser, jobs))
    };
    // Nothing that `take` does can fail.
    let _ = jobs.run(0..lost.len() as u64, work, |_, game| -> Result<(), ()> {
        done();
        if !jobs.is_stopped() {
            found.extend(game);
        }
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

fn analysed(game: &GameRecord, replay: &Replay<5>, loser: usize, jobs: &Jobs) -> LostGame {
    let mut analyst = Analyst::new(EvalKind::network(), HASH_MIB, jobs.stop);
    // Of each board: the chance of who is to move, and the best turn.
    let mut judge = |board: &Position<5>| {
        if board.shows_win() || !board.has_turn() {
            return (0.0, String::new());
        }
        let lines = analyst.lines(board, 1, NODES);
        let Some(line) = lines.first() else {
            return (0.5, String::new());
        };
        let best = line.turns.first().map(|turn| turn.text::<5>().to_string());
        (chance(board, line.score), best.unwrap_or_default())
    };
    let judged: Vec<(f64, String)> = replay.positions.iter().map(&mut judge).collect();
    let chances = judged.iter().enumerate().map(|(index, (chance, _))| {
        if game.player_of(index) == loser {
            *chance
        } else {
            1.0 - chance
        }
    });
    let chances: Vec<f64> = chances.collect();
    let own = (0..replay.turns.len()).filter(|&index| game.player_of(index) == loser);
    let drop = |index: usize| chances[index] - chances[index + 1];
    let worst = own.max_by(|&a, &b| drop(a).total_cmp(&drop(b)));
    LostGame {
        game: game.game,
        turning: worst.map(|index| Turning {
            index,
            played: game.turns[index].clone(),
            better: judged[index].1.clone(),
            before: chances[index],
            after: chances[index + 1],
        }),
        chances,
    }
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
        assert_eq!(lost[0].chances.len(), 4);
        let turning = lost[0].turning.as_ref().unwrap();
        assert_eq!((turning.index, turning.played.as_str()), (1, "e5-e4+e5"));
        // It caps b1, or builds on it from near.
        assert!(
            turning.better.contains("b1") || turning.before > 0.0,
            "{turning:?}"
        );
        assert_eq!(turning.after, 0.0);
        assert_eq!(lost[0].chances[3], 0.0);
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
