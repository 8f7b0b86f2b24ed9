//! The page of a rating: the program among its opponents, and each game that it
//! lost, with the turn by which it lost it.

use serde_json::{Value, json};

use super::ladder::LADDER;
use super::lost::LostGame;
use super::rating::ProgramRating;
use crate::chart::{ChartError, Measured, RowChart};
use crate::draw::{BOARD_SCRIPT, GAMES_SCRIPT, GAMES_STYLE, LOOK_STYLE};
use crate::files::{Kind, begins_and_holds};
use crate::markup::escape;
use crate::printable::printable;
use crate::record::GameRecord;
use crate::review::{REVIEW_SCRIPT, REVIEW_STYLE, script_review};
use crate::table::{percent, shortened};
use crate::tournament::report::REPORT_STYLE;

/// By this the page's file is known.
const MARK: &str = "<meta name=\"generator\" content=\"santorini rate\">";

/// The page's file.
pub const RATING_PAGE: Kind = Kind {
    name: "a page of `santorini rate --html`",
    begins: |head| begins_and_holds(head, "<!DOCTYPE html>\n", MARK),
};

/// The page of the program with this name. `games` are all of its games, `lost`
/// those that it lost on the board.
///
/// # Errors
/// If the chart cannot be drawn.
pub fn page(
    name: &str,
    rating: &ProgramRating,
    games: &[GameRecord],
    lost: &[LostGame],
) -> Result<String, ChartError> {
    let title = format!("{}: {}", shortened(name), rating.text());
    let title = escape(&title).replace("+-", "&plusmn;");
    let body = [
        format!("<h1>{title}</h1>\n"),
        format!("<p class=\"settings\">{}</p>\n", escape(&summed_up(rating))),
        format!(
            "<div class=\"charts\"><figure style=\"max-width: 50rem\">{}</figure></div>\n",
            chart(name, rating)?
        ),
        format!("<h2>Opponents</h2>\n{}", rating.table().html("numbers")),
        faults(games),
        games_lost(lost),
    ];
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{MARK}\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{LOOK_STYLE}{GAMES_STYLE}{REPORT_STYLE}{REVIEW_STYLE}</style>\n</head>\n<body>\n<main>\n{}\n</main>\n\
         <script type=\"application/json\" id=\"data\">{}</script>\n\
         <script>\n{BOARD_SCRIPT}{GAMES_SCRIPT}{REVIEW_SCRIPT}</script>\n<script>\n{}</script>\n</body>\n</html>\n",
        body.concat(),
        // In a script element `<` could begin a tag that ends it.
        data(name, games, lost).to_string().replace('<', "\\u003c"),
        include_str!("page.js"),
    ))
}

fn summed_up(rating: &ProgramRating) -> String {
    let estimate = &rating.estimate;
    format!(
        "Elo above random play, by {} games, of which it won {}. With a probability of 95% the \
         rating is from {:.0} to {:.0}. A player 200 Elo above another wins {} of their games.",
        rating.games,
        rating.won,
        estimate.low,
        estimate.high,
        percent(crate::stats::score_of_elo(200.0)),
    )
}

/// The program among all opponents.
fn chart(name: &str, rating: &ProgramRating) -> Result<String, ChartError> {
    let mut rows: Vec<(String, Measured)> = LADDER
        .iter()
        .map(|rung| (rung.agent.to_string(), Measured::exactly(rung.elo)))
        .collect();
    let estimate = &rating.estimate;
    rows.push((
        format!("> {}", shortened(name)),
        Measured {
            value: estimate.elo,
            low: estimate.low,
            high: estimate.high,
        },
    ));
    rows.sort_by(|(_, a), (_, b)| b.value.total_cmp(&a.value));
    let chart = RowChart {
        title: "Among the opponents".into(),
        x_title: "Elo above random play".into(),
        rows,
    };
    chart.svg()
}

/// The games lost by a fault, with what was wrong.
fn faults(games: &[GameRecord]) -> String {
    let faults = games.iter().filter_map(|game| {
        let why = game.why.as_deref()?;
        Some(format!("<li>game {}: {}</li>", game.number(), escape(why)))
    });
    let faults: Vec<String> = faults.collect();
    if faults.is_empty() {
        return String::new();
    }
    let rest = faults.len().saturating_sub(FAULTS_LISTED);
    let more = if rest > 0 {
        format!("<li>and {rest} more</li>")
    } else {
        String::new()
    };
    let listed = faults[..faults.len() - rest].concat();
    format!("<h2>Games lost by a fault</h2><ul>{listed}{more}</ul>\n")
}

const FAULTS_LISTED: usize = 20;

fn games_lost(lost: &[LostGame]) -> String {
    if lost.is_empty() {
        return String::new();
    }
    "<h2 id=\"games\">Games lost on the board</h2>\n\
     <p>Each with the turn that gave away the most of the chance to win, by a short search of this \
     program; the number of the turn leads to its board. Choose a game for the review of all its \
     turns.</p>\n<div id=\"browser\"></div>\n"
        .to_string()
}

/// What `page.js` reads: the name of the program, and the games that it lost,
/// each a record with its review.
fn data(name: &str, games: &[GameRecord], lost: &[LostGame]) -> Value {
    let games = lost.iter().filter_map(|lost| {
        let game = games.iter().find(|game| game.game == lost.game)?;
        Some(json!({
            "game": game.number(),
            "players": game.players.each_ref().map(|name| printable(name)),
            "start": game.start,
            "turns": game.turns,
            "seconds": game.seconds,
            "winner": game.winner,
            "ending": printable(&game.ending),
            "turning": lost.turning,
            "review": script_review(&lost.review),
        }))
    });
    json!({ "name": printable(name), "games": games.collect::<Vec<_>>() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rate::lost::Turning;
    use crate::review::GameReview;
    use crate::stats::Estimate;

    const NASTY: &str = "<b>&\"'</script><script>alert(1)</script>";

    #[test]
    fn names_cannot_break_the_page() {
        let rating = ProgramRating {
            estimate: Estimate {
                elo: 1234.0,
                low: 1100.0,
                high: 1400.0,
            },
            games: 10,
            won: 4,
            faults: 1,
            against: Vec::new(),
        };
        let game: GameRecord = serde_json::from_value(json!({
            "game": 1, "players": [NASTY, "random"], "start": null, "turns": ["a1-a2+a1"],
            "winner": 1, "ending": "win", "why": format!("{NASTY} crashed"),
        }))
        .unwrap();
        let lost = LostGame {
            game: 1,
            review: GameReview {
                start: "00000/00000/00000/00000/00000 a1b3 c3d3 0".parse().unwrap(),
                turns: Vec::new(),
                chances: vec![0.5, 0.123456],
                nodes: 1,
            },
            turning: Some(Turning {
                number: 1,
                played: "a1-a2+a1".into(),
                better: "a1-b1+a1".into(),
                before: 0.5,
                after: 0.1,
            }),
        };
        let page = page(NASTY, &rating, &[game], &[lost]).unwrap();
        assert!(page.contains("1,234 &plusmn; 150"), "{page}");
        assert!(!page.contains("<b>") && !page.contains("<script>alert"));
        assert_eq!(page.matches("</script>").count(), 3);
        assert!(page.contains("[0.5,0.1235]"));
        assert!((RATING_PAGE.begins)(&page.as_bytes()[..4096]));
    }
}
