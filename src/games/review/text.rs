//! A review as text.

use super::game::{GameReview, ReviewedTurn};
use super::graph::graph;
use super::judgement::Judgement;
use super::summary::Summary;
use crate::draw::{Seat, Style};
use crate::printable::printable;
use crate::rules::Turn;
use crate::search::ScoreText;
use crate::table::{or_dash, percent, shortened_to, whole_percent};

/// The maximum number of turns shown of a line.
pub(super) const LINE_TURNS: usize = 4;

/// The review of a game between players with these names: the graph, the turns, and the
/// summaries. The graph and the lines of play fit the `width` in characters, if given.
pub fn review_text<const N: usize>(
    review: &GameReview<N>,
    names: &[String; 2],
    style: Style,
    width: Option<usize>,
) -> String {
    let first = format!("{} {}", style.figure(Seat::First), printable(&names[0]));
    let mut text = format!("The chance of winning for {first}, by the number of the board:\n\n");
    let blocks = style != Style::Ascii;
    text += &graph(&review.chances, review.start.turn(), blocks, width);
    text.push('\n');
    text += &turns(review, style, width);
    text.push('\n');
    text + &summaries(review, names, style, width)
}

fn turns<const N: usize>(
    review: &GameReview<N>,
    style: Style,
    whole_width: Option<usize>,
) -> String {
    let played: Vec<String> = review
        .turns
        .iter()
        .map(|it| it.played.text::<N>().to_string())
        .collect();
    let lengths = played.iter().map(String::len);
    let width = lengths.fold("played".len(), usize::max);
    let gap = figure_gap(style);
    let mut text = format!(
        "{:>4}  {gap}{:<width$}  {:<12}  {:<10}  better\n",
        "turn", "played", "chance", "judged"
    );
    for (turn, played) in review.turns.iter().zip(played) {
        let figure = style.figure(Seat::BOTH[turn.player()]);
        let mut line = format!(
            "{:>4}  {figure} {played:<width$}  {:<12}  {:<10}  ",
            turn.before.turn() + 1,
            chances(turn, style),
            turn.judgement,
        );
        // `gap` is as wide as a figure and the space after it.
        let taken = 4 + 2 + gap.len() + width + 2 + 12 + 2 + 10 + 2;
        line += &better(turn, whole_width.map(|all| all.saturating_sub(taken)));
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// Spaces as wide as a figure and a space.
fn figure_gap(style: Style) -> &'static str {
    match style {
        Style::Ascii | Style::Unicode => "  ",
        Style::Colour | Style::LargeColour => "    ",
    }
}

/// The player's chance before and after a turn.
fn chances<const N: usize>(turn: &ReviewedTurn<N>, style: Style) -> String {
    let [before, after] = [turn.chance_before, turn.chance_after].map(whole_percent);
    if before == after {
        return format!("{after:>4}");
    }
    let arrow = if style == Style::Ascii { "->" } else { "→" };
    format!("{before:>4} {arrow} {after}")
}

/// The best line, unless the turn played was the best: as many turns as fit into `room`, at
/// least one.
fn better<const N: usize>(turn: &ReviewedTurn<N>, room: Option<usize>) -> String {
    if turn.judgement == Judgement::Best {
        return String::new();
    }
    let score = ScoreText(turn.best.score);
    let with = |turns: usize| format!("{} ({score})", first_turns::<N>(&turn.best.turns, turns));
    let fits = |text: &String| room.is_none_or(|room| text.chars().count() <= room);
    let mut lines = (2..=LINE_TURNS).rev().map(with);
    lines.find(fits).unwrap_or_else(|| with(1))
}

/// At most `count` turns of a line.
pub(super) fn first_turns<const N: usize>(turns: &[Turn], count: usize) -> String {
    let shown = turns.iter().take(count);
    let texts: Vec<String> = shown.map(|turn| turn.text::<N>().to_string()).collect();
    texts.join(" ")
}

/// The table of both players' judgements.
fn summaries<const N: usize>(
    review: &GameReview<N>,
    names: &[String; 2],
    style: Style,
    whole_width: Option<usize>,
) -> String {
    let gap = figure_gap(style);
    let judgements: usize = Judgement::ALL.iter().map(|it| 2 + it.name().len()).sum();
    let taken = gap.len() + "  turns".len() + judgements + LOST.len();
    let room = whole_width.map_or(usize::MAX, |all| all.saturating_sub(taken).max(8));
    let names = names.each_ref().map(|name| shortened_to(room, name));
    let [first, second] = names.each_ref().map(|name| name.chars().count());
    let width = first.max(second);
    let mut text = format!("{gap}{:<width$}  {:>5}", "", "turns");
    for judgement in Judgement::ALL {
        text += &format!("  {}", judgement.name());
    }
    text += LOST;
    text.push('\n');
    for (player, name) in names.iter().enumerate() {
        let summary = Summary::of(review, player);
        text += &format!(
            "{} {name:<width$}  {:>5}",
            style.figure(Seat::BOTH[player]),
            summary.turns
        );
        for judgement in Judgement::ALL {
            let width = judgement.name().len();
            text += &format!("  {:>width$}", summary.count(judgement));
        }
        text += &format!("  {:>9}\n", or_dash(summary.lost_per_turn(), percent));
    }
    text
}

/// The head of the last column: the mean chance lost per turn.
const LOST: &str = "  lost/turn";

#[cfg(test)]
mod tests {
    use super::super::review;
    use super::*;
    use crate::jobs::NEVER;
    use crate::rules::Position;
    use crate::search::{Engine, EngineOptions, Limits};

    /// The review of a short game in which the first player misses a win and loses.
    fn short_review() -> GameReview<5> {
        let board: Position<5> = "00000/00030/00200/00000/00032 c3a1 e1e5 10"
            .parse()
            .unwrap();
        let turns = ["a1-a2+a1", "e5-d5#"].map(|text| Turn::parse::<5>(text).unwrap());
        let mut engine = Engine::new(EngineOptions::default());
        let limits = Limits::nodes(2000);
        review(&board, &turns, &mut engine, &limits, &NEVER, &mut |_, _| {}).unwrap()
    }

    #[test]
    fn every_line_fits_the_terminal() {
        let mut review = short_review();
        review.turns[0].best.turns = vec![review.turns[0].played; 9];
        review.chances = vec![0.5; 300];
        let names = [
            "python3 a/very/long/command.py --with options".to_string(),
            "Bob".into(),
        ];
        let longest = |style: Style, width: Option<usize>| {
            let text = review_text(&review, &names, style, width);
            let lines = text.lines().skip(1).map(|line| line.chars().count());
            lines.max().unwrap()
        };
        for width in [72, 80, 100] {
            for style in [Style::Ascii, Style::Unicode] {
                let longest = longest(style, Some(width));
                assert!(longest <= width, "{longest} > {width}");
            }
        }
        assert!(longest(Style::Ascii, None) > 100);
        let wide = review_text(&review, &names, Style::Ascii, Some(150));
        assert!(
            wide.contains("a1-a2+a1 a1-a2+a1 a1-a2+a1 a1-a2+a1 ("),
            "{wide}"
        );
    }

    #[test]
    fn a_review_names_the_better_turn() {
        let names = ["Ann".to_string(), "Bob\u{1b}".into()];
        let text = review_text(&short_review(), &names, Style::Ascii, None);
        assert!(text.is_ascii(), "{text}");
        for part in [
            "The chance of winning for X Ann, by",
            "  11  X a1-a2+a1  100% -> 0%",
            "blunder     c3-d2# (win in 1)",
            "  12  O e5-d5# ",
            "best",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }
}
