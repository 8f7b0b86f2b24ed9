//! A review in JSON.

use serde_json::{Value, json};

use super::game::{GameReview, ReviewedTurn};
use super::judgement::Judgement;
use super::summary::Summary;
use crate::rules::Turn;
use crate::search::{in_levels, plies_to_end};

/// The review of a game between players with these names:
///
/// | key | value |
/// |---|---|
/// | `players` | the names, the first player first |
/// | `first_turn` | the turn number of the first board |
/// | `chances` | the first player's chance on every board |
/// | `turns` | an object for each turn, see below |
/// | `summary` | for each player: `turns`, the numbers of `best`, `good`, `inaccuracy`, `mistake` and `blunder`, and the means `lost_per_turn` and `accuracy`, null without turns |
/// | `nodes` | the nodes of all searches |
///
/// A turn has `number` (of the board after it), `player` (0 or 1), `played`, `judgement`,
/// the player's `chance_before` and `chance_after`, the chance `lost`, the `best` turn and
/// its `line`. The scores of both turns are `score` and `best_score` in levels of height,
/// or `plies` and `best_plies` to a proved end, negative for a loss.
pub fn review_json<const N: usize>(review: &GameReview<N>, names: &[String; 2]) -> Value {
    json!({
        "players": names,
        "first_turn": review.start.turn(),
        "chances": review.chances.iter().map(|&chance| rounded(chance)).collect::<Vec<_>>(),
        "turns": review.turns.iter().map(turn::<N>).collect::<Vec<_>>(),
        "summary": summaries(review),
        "nodes": review.nodes,
    })
}

/// The summaries of both players.
pub(super) fn summaries<const N: usize>(review: &GameReview<N>) -> [Value; 2] {
    [0, 1].map(|player| {
        let summary = Summary::of(review, player);
        let mut value = json!({
            "turns": summary.turns,
            "lost_per_turn": summary.lost_per_turn().map(rounded),
            "accuracy": summary.accuracy().map(rounded),
        });
        for judgement in Judgement::ALL {
            value[judgement.name()] = json!(summary.count(judgement));
        }
        value
    })
}

fn turn<const N: usize>(turn: &ReviewedTurn<N>) -> Value {
    let text = |turn: &Turn| turn.text::<N>().to_string();
    let mut value = json!({
        "number": turn.before.turn() + 1,
        "player": turn.player(),
        "played": text(&turn.played),
        "judgement": turn.judgement,
        "chance_before": rounded(turn.chance_before),
        "chance_after": rounded(turn.chance_after),
        "lost": rounded(turn.lost()),
        "best": turn.best.turns.first().map(text),
        "line": turn.best.turns.iter().map(text).collect::<Vec<_>>(),
    });
    add_score(&mut value, ["score", "plies"], turn.score);
    add_score(&mut value, ["best_score", "best_plies"], turn.best.score);
    value
}

/// Adds a score in levels, or the plies to a proved end.
fn add_score(value: &mut Value, [levels, plies]: [&str; 2], score: i32) {
    match plies_to_end(score) {
        Some(to_end) => value[plies] = json!(to_end),
        None => value[levels] = json!(in_levels(score)),
    }
}

/// A share rounded to four decimals; more would be noise.
pub(crate) fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::WIN;

    #[test]
    fn scores_are_levels_or_plies() {
        let mut value = json!({});
        add_score(&mut value, ["score", "plies"], -150);
        add_score(&mut value, ["best_score", "best_plies"], WIN - 5);
        assert_eq!(value, json!({"score": -1.5, "best_plies": 5}));
        add_score(&mut value, ["x", "plies"], 4 - WIN);
        assert_eq!(value["plies"], json!(-4));
    }
}
