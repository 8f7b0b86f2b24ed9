//! The page of a rating: the program among its opponents, and each lost game with
//! the turn that lost it.

use serde_json::{Value, json};

use super::ladder::{LADDER, LADDER_ERROR, LADDER_MEASURED_WITH, LadderRung};
use super::lost::LostGame;
use super::rating::{ProgramRating, thousands};
use super::summary::RatingText;
use crate::chart::{CHART_STYLE, Chart, Measured, whole};
use crate::draw::{BOARD_SCRIPT, GAMES_SCRIPT, GAMES_STYLE};
use crate::files::{Kind, begins_and_holds};
use crate::markup::{HtmlPage, escape};
use crate::printable::printable;
use crate::record::GameRecord;
use crate::review::{REVIEW_SCRIPT, REVIEW_STYLE, script_review};
use crate::stats::{Estimate, score_of_elo};
use crate::table::{Table, percent, shortened};
use crate::tournament::report::{REPORT_STYLE, evidence};

/// Identifies the page as made by this command.
const MARK: &str = "<meta name=\"generator\" content=\"santorini rate\">";

/// The page's file.
pub const RATING_PAGE: Kind = Kind {
    name: "a page of `santorini rate --html`",
    begins: |head| begins_and_holds(head, "<!DOCTYPE html>\n", MARK),
};

/// The page of a program. `games` are all of its games, `lost` those lost on the board.
pub fn page(name: &str, rating: &ProgramRating, games: &[GameRecord], lost: &[LostGame]) -> String {
    let title = format!("{}: {} Elo", shortened(name), rating.text());
    let title = title.replace("+-", "±");
    let body = [
        format!("<h1>{}</h1>\n", escape(&title)),
        summary(rating, games, lost),
        format!("<h2>Opponents</h2>\n{}", opponents(rating).html()),
        format!("<figure>{}</figure>\n", chart(name, rating)),
        format!("<p>{LADDER_ERROR} They were rated with {LADDER_MEASURED_WITH}.</p>\n"),
        faults(games),
        games_lost(rating, lost),
    ];
    HtmlPage {
        generator: MARK,
        title: &title,
        styles: STYLES,
        main: body.concat(),
        data: Some(data(name, games, lost).to_string()),
        scripts: &[
            &[BOARD_SCRIPT, GAMES_SCRIPT, REVIEW_SCRIPT].concat(),
            include_str!("page.js"),
        ],
    }
    .html()
}

/// The page of a program that has no rating: why, and the games that it lost by a fault.
pub fn page_without_rating(name: &str, fault: &str, games: &[GameRecord]) -> String {
    let title = format!("{}: no rating", shortened(name));
    let fault = match fault.split_once('\n') {
        None => format!("<p class=\"faults\">{}</p>", escape(fault)),
        Some((fault, more)) => format!(
            "<p class=\"faults\">{}</p>\n<pre>{}</pre>",
            escape(fault),
            escape(more)
        ),
    };
    let body = [
        format!("<h1>{}</h1>\n", escape(&title)),
        format!("<section class=\"card summary\">\n{fault}\n</section>\n"),
        faults(games),
    ];
    HtmlPage {
        generator: MARK,
        title: &title,
        styles: STYLES,
        main: body.concat(),
        data: None,
        scripts: &[],
    }
    .html()
}

/// The styles of both pages.
const STYLES: &[&str] = &[
    CHART_STYLE,
    GAMES_STYLE,
    REPORT_STYLE,
    REVIEW_STYLE,
    include_str!("page.css"),
];

/// What the rating means, in a few sentences, and what to look at next.
fn summary(rating: &ProgramRating, games: &[GameRecord], lost: &[LostGame]) -> String {
    let words = RatingText::of(rating);
    let mut text = String::from("<section class=\"card summary\">\n");
    if let Some(faults) = words.faults {
        text += &format!(
            "<p class=\"faults\">{} <a href=\"#faults\">What went wrong</a></p>\n",
            escape(&faults)
        );
    }
    let Estimate { elo, low, high } = rating.estimate;
    let [elo, low, high] = [elo, low, high].map(thousands);
    let place = match &*words.place {
        [] => String::new(),
        place => format!(
            "<p>{}</p>\n",
            escape(&place.join("\n")).replace('\n', "<br>")
        ),
    };
    text += &format!(
        "<p class=\"rating\"><strong>{elo}</strong> Elo above random play: from {low} to {high}, \
         with a probability of 95%.</p>\n{}<p>{} A player 200 Elo above another wins {} \
         of their games.</p>\n",
        place,
        words.games,
        percent(score_of_elo(200.0)),
    );
    text += &advice(games, lost);
    text + "</section>\n"
}

/// The lost game to look at first.
fn advice(games: &[GameRecord], lost: &[LostGame]) -> String {
    let first = lost.first().and_then(|first| {
        let game = games.iter().find(|game| game.game == first.game)?;
        Some((game, first.turning.as_ref()?))
    });
    let Some((game, turning)) = first else {
        return String::new();
    };
    let winner = game
        .winner
        .map_or("", |seat| &game.players[usize::from(seat)]);
    format!(
        "<p>Start with <a href=\"#game-{0}-turn-{1}\">game {0}</a>, lost to {2}: turn {1} lowered \
         the chance of winning from {3:.0}% to {4:.0}%.</p>\n",
        game.number(),
        turning.number,
        escape(&shortened(winner)),
        100.0 * turning.before,
        100.0 * turning.after,
    )
}

/// The results against each opponent, and how that opponent plays.
fn opponents(rating: &ProgramRating) -> Table {
    let head = [
        "opponent", "Elo", "games", "won", "lost", "score", "expected", "plays",
    ];
    let mut table = Table::new(head).with_names_in(0);
    for against in &rating.against {
        let rung = LADDER.iter().find(|rung| rung.agent == against.opponent);
        let words = rung.map_or("", |rung| rung.words);
        let numbers = against.cells().into_iter();
        table.add(numbers.chain([words.to_string()]));
    }
    table
}

/// The number of opponents shown beyond those played, at both ends of the chart.
const BEYOND: usize = 2;

/// The opponents around those that were played, the weakest first.
fn rungs_around(rating: &ProgramRating) -> &'static [LadderRung] {
    let played = |rung: &LadderRung| {
        let mut against = rating.against.iter();
        against.any(|against| against.opponent == rung.agent)
    };
    match [
        LADDER.iter().position(played),
        LADDER.iter().rposition(played),
    ] {
        [Some(first), Some(last)] => {
            let end = LADDER.len().min(last + 1 + BEYOND);
            &LADDER[first.saturating_sub(BEYOND)..end]
        }
        _ => &LADDER,
    }
}

/// The program among its opponents.
fn chart(name: &str, rating: &ProgramRating) -> String {
    let rungs = rungs_around(rating).iter();
    let rungs = rungs.map(|rung| (rung.words.to_string(), Measured::exactly(rung.elo)));
    let mut rows: Vec<(String, Measured)> = rungs.collect();
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
    let titles = ["Among the opponents", "Elo above random play"];
    Chart::rows(titles, whole, &rows).picture().html
}

/// The maximum number of games listed as lost by a fault.
const FAULTS_LISTED: usize = 20;

/// The games lost by a fault, with the reason.
fn faults(games: &[GameRecord]) -> String {
    let faults = games.iter().filter_map(|game| {
        let why = game.why.as_deref()?;
        Some(format!(
            "<li>game {}: {}{}</li>",
            game.number(),
            escape(why),
            evidence(game)
        ))
    });
    let mut faults: Vec<String> = faults.collect();
    if faults.is_empty() {
        return String::new();
    }
    if faults.len() > FAULTS_LISTED {
        let rest = faults.split_off(FAULTS_LISTED).len();
        faults.push(format!("<li>and {rest} more</li>"));
    }
    format!(
        "<h2 id=\"faults\">Games lost by a fault</h2><ul class=\"faults\">{}</ul>\n",
        faults.concat()
    )
}

fn games_lost(rating: &ProgramRating, lost: &[LostGame]) -> String {
    if lost.is_empty() {
        return String::new();
    }
    let all = rating.games - rating.won - rating.faults;
    let reviewed = match lost.len() as u64 {
        reviewed if reviewed < all => {
            format!("<p>{reviewed} of {all} games were reviewed in the time available.</p>\n")
        }
        _ => String::new(),
    };
    let text = "<h2 id=\"games\">Games lost on the board</h2>\n\
     <p>Losses to the weakest opponents come first, the largest mistakes at the top. The turn shown \
     lost the most chance of winning, by a short search of this program; its number leads to the \
     board. Choose a game for the review of all its turns.</p>\n";
    format!("{text}{reviewed}<div id=\"browser\"></div>\n")
}

/// The data for `page.js`: the name of the program, and its lost games, each a record
/// with its review.
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
    use crate::rate::lost::LosingTurn;
    use crate::rate::rating::OpponentScore;
    use crate::record::Ending;
    use crate::review::GameReview;

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
            faults_by: vec![(Ending::Crashed, 1)],
            against: vec![OpponentScore {
                opponent: "random".into(),
                elo: 0.0,
                games: 10,
                won: 4,
                expected: 0.4,
            }],
        };
        let game: GameRecord = serde_json::from_value(json!({
            "game": 1, "players": [NASTY, "random"], "start": null, "turns": ["a1-a2+a1"],
            "winner": 1, "ending": "win", "why": format!("{NASTY} crashed"),
        }))
        .unwrap();
        let lost = LostGame {
            game: 1,
            opponent: 0.0,
            review: GameReview {
                start: "00000/00000/00000/00000/00000 a1b3 c3d3 0".parse().unwrap(),
                turns: Vec::new(),
                chances: vec![0.5, 0.123456],
                nodes: 1,
            },
            turning: Some(LosingTurn {
                number: 1,
                played: "a1-a2+a1".into(),
                better: "a1-b1+a1".into(),
                before: 0.5,
                after: 0.1,
            }),
        };
        let page = page(NASTY, &rating, &[game], &[lost]);
        assert!(page.contains("1,234 ± 150"), "{page}");
        for said in [
            "1 of 10 games was lost by a fault (1 crashed).",
            "<strong>1,234</strong> Elo above random play: from 1,100 to 1,400,",
            "It won 4 of 10 games and lost 6.",
            "<a href=\"#game-2-turn-1\">game 2</a>, lost to random: turn 1 lowered",
            "any legal turn, by chance",
            "takes the opponents' ratings as exact.",
        ] {
            assert!(page.contains(said), "{said} is not in {page}");
        }
        // Faults come first; the chart follows the table.
        let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
        assert!(at("class=\"faults\"") < at("class=\"rating\""));
        assert!(at("<h2>Opponents</h2>") < at("<figure>"));
        // Opponents far from those played are left out.
        assert!(
            page.contains(">20 random games before each turn</text>")
                && !page.contains(">the engine, 30,000 boards a turn</text>")
        );
        assert!(!page.contains("<b>") && !page.contains("<script>alert"));
        assert_eq!(page.matches("</script>").count(), 3);
        assert!(page.contains("[0.5,0.1235]"));
        assert!((RATING_PAGE.begins)(&page.as_bytes()[..4096]));
    }
}
