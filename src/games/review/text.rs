//! A review as text.

use super::game::{GameReview, ReviewedTurn};
use super::graph::graph;
use super::judgement::Judgement;
use super::summary::Summary;
use crate::draw::{Seat, Style};
use crate::printable::printable;
use crate::rules::Turn;
use crate::search::ScoreText;

/// The turns of a line that are shown.
const LINE_TURNS: usize = 4;

/// The review of a game between players with these names, in lines: the graph, the
/// turns, and what they come to.
pub fn review_text<const N: usize>(
    review: &GameReview<N>,
    names: &[String; 2],
    style: Style,
) -> String {
    let first = format!("{} {}", style.figure(Seat::First), printable(&names[0]));
    let mut text = format!("The chance that {first} wins, by the number of the board:\n\n");
    text += &graph(&review.chances, review.start.turn(), style != Style::Ascii);
    text.push('\n');
    text += &turns(review, style);
    text.push('\n');
    text + &summaries(review, names, style)
}

fn turns<const N: usize>(review: &GameReview<N>, style: Style) -> String {
    let played: Vec<String> = review
        .turns
        .iter()
        .map(|it| it.played.text::<N>().to_string())
        .collect();
    let width = played
        .iter()
        .map(String::len)
        .max()
        .unwrap_or(0)
        .max("played".len());
    let gap = figure_gap(style);
    let mut text = format!(
        "{:>4}  {gap}{:<width$}  {:<12}  {:<10}  better would have been\n",
        "turn", "played", "chance", "judged"
    );
    for (turn, played) in review.turns.iter().zip(played) {
        let figure = style.figure(Seat::BOTH[turn.player()]);
        let line = format!(
            "{:>4}  {figure} {played:<width$}  {:<12}  {:<10}  {}",
            turn.before.turn() + 1,
            chances(turn, style),
            turn.judgement,
            better(turn)
        );
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// As much room as a figure and a space take.
fn figure_gap(style: Style) -> &'static str {
    match style {
        Style::Ascii | Style::Unicode => "  ",
        Style::Colour | Style::LargeColour => "    ",
    }
}

/// The chance of who played a turn, before and after it.
fn chances<const N: usize>(turn: &ReviewedTurn<N>, style: Style) -> String {
    let [before, after] = [turn.chance_before, turn.chance_after].map(percent);
    if before == after {
        return format!("{after:>4}");
    }
    let arrow = if style == Style::Ascii { "->" } else { "→" };
    format!("{before:>4} {arrow} {after}")
}

/// The best line, if another turn was played and something was lost.
fn better<const N: usize>(turn: &ReviewedTurn<N>) -> String {
    if turn.judgement == Judgement::Best {
        return String::new();
    }
    let score = ScoreText(turn.best.score);
    format!("{} ({score})", line_text::<N>(&turn.best.turns))
}

/// The first turns of a line.
pub fn line_text<const N: usize>(turns: &[Turn]) -> String {
    let shown = turns.iter().take(LINE_TURNS);
    let texts: Vec<String> = shown.map(|turn| turn.text::<N>().to_string()).collect();
    texts.join(" ")
}

/// The judgements of both players, counted.
fn summaries<const N: usize>(review: &GameReview<N>, names: &[String; 2], style: Style) -> String {
    let gap = figure_gap(style);
    let names = names.each_ref().map(|name| printable(name).into_owned());
    let width = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0);
    let mut text = format!("{gap}{:<width$}  {:>5}", "", "turns");
    for judgement in Judgement::ALL {
        text += &format!("  {:>10}", judgement.name());
    }
    text += "  lost a turn\n";
    for (player, name) in names.iter().enumerate() {
        let summary = Summary::of(review, player);
        text += &format!(
            "{} {name:<width$}  {:>5}",
            style.figure(Seat::BOTH[player]),
            summary.turns
        );
        for judgement in Judgement::ALL {
            text += &format!("  {:>10}", summary.count(judgement));
        }
        text += &format!(
            "  {:>11}\n",
            format!("{:.1}%", 100.0 * summary.lost_per_turn())
        );
    }
    text
}

fn percent(chance: f64) -> String {
    format!("{:.0}%", 100.0 * chance)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::super::review;
    use super::*;
    use crate::rules::Position;
    use crate::search::{Engine, EngineOptions, Limits};

    #[test]
    fn a_review_names_what_was_better() {
        let board: Position<5> = "00000/00030/00200/00000/00032 c3a1 e1e5 10"
            .parse()
            .unwrap();
        let turns = ["a1-a2+a1", "e5-d5#"].map(|text| Turn::parse::<5>(text).unwrap());
        let mut engine = Engine::new(EngineOptions::default());
        let never = AtomicBool::new(false);
        let review = review(
            &board,
            &turns,
            &mut engine,
            &Limits::nodes(2000),
            &never,
            &mut |_, _| {},
        );
        let names = ["Ann".to_string(), "Bob\u{1b}".into()];
        let text = review_text(&review.unwrap(), &names, Style::Ascii);
        assert!(text.is_ascii(), "{text}");
        for part in [
            "The chance that X Ann wins",
            "  11  X a1-a2+a1  100% -> 0%",
            "blunder     c3-d2# (win in 1)",
            "  12  O e5-d5# ",
            "best",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }
}
