//! A review as a self-contained web page, and as part of other pages.

use serde_json::{Value, json};

use super::game::{GameReview, ReviewedTurn};
use super::json::{rounded, summaries};
use super::judgement::Judgement;
use super::text::{LINE_TURNS, first_turns};
use crate::draw::{BOARD_SCRIPT, REPLAY_STYLE, Scene, Seat};
use crate::files::{Kind, begins_and_holds};
use crate::markup::{HtmlPage, escape};
use crate::search::ScoreText;
use crate::table::whole_percent;

/// Identifies the page as made by this command.
const GENERATOR: &str = "<meta name=\"generator\" content=\"santorini review\">";

/// The page's file, also as earlier releases wrote it.
pub const REVIEW_FILE: Kind = Kind {
    name: "a page of `santorini review --html`",
    begins: |head| {
        begins_and_holds(head, "<!DOCTYPE html>\n", GENERATOR)
            || begins_and_holds(head, "<!doctype html>\n", "<title>Review of a game</title>")
    },
};

/// Fills the page.
const SHOW: &str = "\
const { game, review } = JSON.parse(document.getElementById(\"data\").textContent);
santoriniReview(document.getElementById(\"game\"), game.names, game.scenes, review);
";

/// The text of the page. `scenes` are the boards of the game.
pub fn review_page<const N: usize>(
    review: &GameReview<N>,
    scenes: &[Scene<N>],
    title: &str,
) -> String {
    let percent = Judgement::LIMITS.map(|limit| (100.0 * limit).round());
    let [_, inaccuracy, mistake, blunder] = percent;
    let first = scenes.first();
    let names = first.map(|first| Seat::BOTH.map(|seat| first.title(seat)));
    let scenes: Vec<Value> = scenes.iter().map(Scene::script).collect();
    let data = json!({
        "game": { "names": names, "scenes": scenes },
        "review": script_review(review),
    });
    HtmlPage {
        generator: GENERATOR,
        title: "Review of a game",
        styles: &[REPLAY_STYLE, REVIEW_STYLE],
        main: format!(
            "<div class=\"card\">\n<h1>{}</h1>\n<div id=\"game\"></div>\n\
             <footer>A turn that loses {inaccuracy} of 100 of the chance of winning is an \
             inaccuracy, from {mistake} on a mistake, from {blunder} on a blunder. Arrow keys \
             step back and forward; click the graph to see a board.</footer>\n</div>",
            escape(title)
        ),
        data: Some(data.to_string()),
        scripts: &[BOARD_SCRIPT, REVIEW_SCRIPT, SHOW],
    }
    .html()
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
    let [before, after] = [turn.chance_before, turn.chance_after].map(whole_percent);
    let mut text = turn.judgement.name().to_string();
    if turn.judgement != Judgement::Best {
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
