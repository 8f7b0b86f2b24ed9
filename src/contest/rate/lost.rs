//! The turn that lost a game: by a review, the loser's turn that gave away most of its
//! chance of winning.

use std::cmp::Ordering;

use serde::Serialize;

use super::ladder::LADDER;
use crate::jobs::Jobs;
use crate::record::GameRecord;
use crate::review::{GameReview, review};
use crate::rules::Turn;
use crate::search::{Engine, EngineOptions, Limits};

/// The nodes to search on each board.
const NODES: u64 = 5000;

/// Enough for such short searches.
const HASH_MIB: usize = 4;

/// A lost game and its review.
#[derive(Debug, Clone, PartialEq)]
pub struct LostGame {
    /// The number of the game, from 0.
    pub game: u64,
    /// The rating of the winner, infinite if it is not on the ladder.
    pub opponent: f64,
    /// The judged turns of the game.
    pub review: GameReview<5>,
    /// The turn that lost the game; `None` if the loser made none.
    pub turning: Option<LosingTurn>,
}

/// A turn that lost a game, and a better one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LosingTurn {
    /// The turn number of the board after it.
    pub number: u32,
    pub played: String,
    pub better: String,
    /// The chance of winning before it, with the best turn, and after it.
    pub before: f64,
    pub after: f64,
}

/// Reviews the games that a player lost on the board. The most instructive games come
/// first: against the weakest opponents, and then the turns that gave away the most.
/// `done` is called after each game. If the jobs are stopped, fewer games are returned.
pub fn lost_games(
    games: &[GameRecord],
    player: &str,
    jobs: &Jobs,
    mut done: impl FnMut(),
) -> Vec<LostGame> {
    let mut lost: Vec<(&GameRecord, usize)> = games
        .iter()
        .filter_map(|game| Some((game, lost_by(game, player)?)))
        .collect();
    // In the order of the result, in case there is no time for all.
    lost.sort_by(|a, b| winner_elo(a).total_cmp(&winner_elo(b)));
    let mut found = Vec::new();
    let work = |index: u64| {
        let (game, loser) = lost[index as usize];
        reviewed(game, loser, jobs)
    };
    // The closure below never fails.
    let _ = jobs.run(0..lost.len() as u64, work, |_, game| -> Result<(), ()> {
        done();
        found.extend(game);
        Ok(())
    });
    found.sort_by(most_instructive_first);
    found
}

fn most_instructive_first(a: &LostGame, b: &LostGame) -> Ordering {
    // The chance of winning that the losing turn gave away.
    let lost =
        |game: &LostGame| (game.turning.as_ref()).map_or(0.0, |turn| turn.before - turn.after);
    let by_opponent = a.opponent.total_cmp(&b.opponent);
    by_opponent.then(lost(b).total_cmp(&lost(a)))
}

/// The player's seat, if it lost the game on the board.
fn lost_by(game: &GameRecord, player: &str) -> Option<usize> {
    let seat = game.seat_of(player)?;
    let winner = usize::from(game.winner?);
    (winner != seat && game.why.is_none()).then_some(seat)
}

/// The rating of the winner; infinite if it is not on the ladder.
fn winner_elo(&(game, loser): &(&GameRecord, usize)) -> f64 {
    let winner = &game.players[1 - loser];
    let rung = LADDER.iter().find(|rung| rung.agent == winner);
    rung.map_or(f64::INFINITY, |rung| rung.elo)
}

/// Reviews one game; `None` if it cannot be replayed or the work was stopped.
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
    let turning = worst.map(|(turn, number)| LosingTurn {
        number: start.turn() + number,
        played: text(&turn.played),
        better: turn.best.turns.first().map(text).unwrap_or_default(),
        before: turn.chance_before,
        after: turn.chance_after,
    });
    Some(LostGame {
        game: game.game,
        opponent: winner_elo(&(game, loser)),
        review,
        turning,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Player A wins with its second turn, which B could have stopped.
    fn game() -> GameRecord {
        serde_json::from_value(json!({
            "game": 3, "players": ["A", "B"],
            "start": {"players": [[[2, 1], [5, 1]], [[3, 3], [5, 5]]],
                      "spaces": [[2, 3, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0],
                                 [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]],
                      "turn": 0},
            "turns": ["a2-a1+b2", "e5-e4+e5", "a1-b1#"],
            "seconds": [0.1, 0.1, 0.1], "winner": 0, "ending": "win",
        }))
        .unwrap()
    }

    fn found(games: &[GameRecord], player: &str) -> Vec<LostGame> {
        let jobs = Jobs::unstoppable(2);
        let mut done = 0;
        let lost = lost_games(games, player, &jobs, || done += 1);
        assert_eq!(done, lost.len());
        lost
    }

    #[test]
    fn the_turn_that_lost_the_game_is_found() {
        let lost = found(&[game()], "B");
        assert_eq!((lost.len(), lost[0].game), (1, 3));
        assert_eq!(lost[0].review.chances.len(), 4);
        let turning = lost[0].turning.as_ref().unwrap();
        assert_eq!((turning.number, turning.played.as_str()), (2, "e5-e4+e5"));
        let replay = game().replay::<5>().unwrap();
        let before = replay.positions[1];
        let better = before
            .turns()
            .into_iter()
            .find(|turn| turn.text::<5>().to_string() == turning.better)
            .unwrap();
        // A can win after the turn played, and not after the better one.
        assert!(before.play(replay.turns[1]).has_win());
        assert!(!before.play(better).has_win(), "{turning:?}");
        assert!(turning.before > 0.2, "{turning:?}");
        assert_eq!(turning.after, 0.0);
        // The first player, A, wins.
        assert_eq!(lost[0].review.chances[3], 1.0);
    }

    #[test]
    fn the_most_instructive_games_come_first() {
        let known = found(&[game()], "B").remove(0);
        let lost = |game: u64, opponent: f64, before: f64| LostGame {
            game,
            opponent,
            turning: known
                .turning
                .clone()
                .map(|turning| LosingTurn { before, ..turning }),
            ..known.clone()
        };
        let mut games = [lost(1, 2200.0, 0.9), lost(2, 0.0, 0.2), lost(3, 0.0, 0.8)];
        games.sort_by(most_instructive_first);
        assert_eq!(games.map(|lost| lost.game), [3, 2, 1]);
        // A has no rating.
        assert_eq!(known.opponent, f64::INFINITY);
        let mut rated = game();
        let rung = LADDER[3];
        rated.players[0] = rung.agent.into();
        assert_eq!(found(&[rated], "B")[0].opponent, rung.elo);
    }

    #[test]
    fn won_games_and_faults_are_skipped() {
        assert!(found(&[game()], "A").is_empty());
        assert!(found(&[game()], "C").is_empty());
        let mut fault = game();
        fault.why = Some("B crashed".into());
        assert!(found(&[fault], "B").is_empty());
    }
}
