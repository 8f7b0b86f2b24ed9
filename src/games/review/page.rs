//! A review as a self-contained web page, and as part of other pages.

use serde_json::{Value, json};

use super::game::{GameReview, ReviewedTurn};
use super::json::{rounded, summaries};
use super::judgement::Judgement;
use super::text::{LINE_TURNS, first_turns};
use crate::draw::{AnyScene, BOARD_SCRIPT, Scene, script_game};
use crate::files::{Kind, begins_and_holds};
use crate::markup::{LOOK_STYLE, in_script};
use crate::search::ScoreText;

/// The page's file.
pub const REVIEW_FILE: Kind = Kind {
    name: "a page of `santorini review --html`",
    begins: |head| begins_and_holds(head, "<!doctype html>\n", "<title>Review of a game</title>"),
};

/// The text of the page. `scenes` are the boards of the game.
pub fn review_page<const N: usize>(
    review: &GameReview<N>,
    scenes: &[Scene<N>],
    title: &str,
) -> String
where
    AnyScene: From<Scene<N>>,
{
    let scenes: Vec<AnyScene> = scenes.iter().cloned().map(AnyScene::from).collect();
    let data = json!({
        "game": script_game(title, &scenes),
        "review": script_review(review),
    });
    let data = in_script(&data);
    include_str!("page.html")
        .replace("/* LOOK_STYLE */", LOOK_STYLE)
        .replace("/* REVIEW_STYLE */", REVIEW_STYLE)
        .replace("/* BOARD_SCRIPT */", BOARD_SCRIPT)
        .replace("/* REVIEW_SCRIPT */", REVIEW_SCRIPT)
        .replace("/* DATA */", &data)
}

/// The script that shows a review, as the head of `review.js` explains. It needs
/// [`BOARD_SCRIPT`].
pub const REVIEW_SCRIPT: &str = include_str!("review.js");

/// The style of a review.
pub const REVIEW_STYLE: &str = include_str!("review.css");

/// The review as [`REVIEW_SCRIPT`] takes it.
pub fn script_review<const N: usize>(review: &GameReview<N>) -> Value {
    let chances = review.chances.iter().map(|&chance| rounded(chance));
    let remarks = review.turns.iter().map(remark::<N>);
    json!({
        "chances": chances.collect::<Vec<f64>>(),
        "remarks": remarks.collect::<Vec<Value>>(),
        "summary": summaries(review),
        "judgements": Judgement::ALL,
    })
}

/// The remark below the board after a turn.
fn remark<const N: usize>(turn: &ReviewedTurn<N>) -> Value {
    let [before, after] = [turn.chance_before, turn.chance_after].map(|chance| 100.0 * chance);
    let mut text = turn.judgement.name().to_string();
    if turn.judgement != Judgement::Best {
        let [before, after] = [before, after].map(|percent| format!("{percent:.0}%"));
        if before != after {
            text += &format!(": the chance fell from {before} to {after}");
        }
        text += &format!(
            "; better was {} ({})",
            first_turns::<N>(&turn.best.turns, LINE_TURNS),
            ScoreText(turn.best.score)
        );
    }
    json!({ "judgement": turn.judgement, "sign": turn.judgement.sign(), "text": text })
}
