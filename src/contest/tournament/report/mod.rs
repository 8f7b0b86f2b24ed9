//! The report of a tournament: one self-contained web page with the table, charts,
//! and a replay of any game.
//!
//! | to see or change | look at |
//! |---|---|
//! | the parts of the page, in order | `mod.rs` (here) |
//! | the columns of its tables | `../tables.rs` |
//! | the numbers in them | `../summary.rs` |
//! | which charts, what they show | `figures.rs` |
//! | the games that the page can replay | `games.rs` |
//! | style and behaviour of the page | `page.css`, `page.js` |

mod figures;
mod games;

use super::settings::{CardChoice, OpeningChoice, Settings};
use super::summary::TournamentSummary;
use super::{tables, text};
use crate::chart::CHART_STYLE;
use crate::draw::{BOARD_SCRIPT, GAMES_SCRIPT, GAMES_STYLE};
use crate::files::{Kind, begins_and_holds};
use crate::markup::{HtmlPage, escape};
use crate::program::Evidence;
use crate::record::GameRecord;
use crate::table::{Table, percent};

/// The style of the page, added to that of all pages. Other pages with games use it too.
pub const REPORT_STYLE: &str = include_str!("page.css");

/// Identifies the page as made by this command.
const GENERATOR: &str = "<meta name=\"generator\" content=\"santorini tournament\">";

/// The page's file.
pub const REPORT_FILE: Kind = Kind {
    name: "a report of `santorini tournament`",
    begins: |head| begins_and_holds(head, "<!DOCTYPE html>\n", GENERATOR),
};

/// The maximum number of games listed as lost by a fault; the list of games has all.
const FAULTS_LISTED: usize = 100;

/// The page. `records` are all games, in the order of the schedule.
pub fn page(settings: &Settings, summary: &TournamentSummary, records: &[GameRecord]) -> String {
    let title = title(summary);
    let parts = [
        format!("<h1>{}</h1>", escape(&title)),
        format!("<p class=\"settings\">{}</p>", escape(&described(settings))),
        paragraphs(summary.fair_duel().map(text::compared)),
        paragraphs(text::broken(summary)),
        standings(summary),
        figures::all(settings, summary, records),
        section(
            "Head to head",
            "Games won-lost (=drawn) by the player of the row.",
            &tables::cross(summary),
        ),
        section(
            "Endings",
            "Games won-lost by each ending.",
            &tables::endings(summary),
        ),
        section(
            "Cards",
            "Games won-lost by the first player with the card of the row, against the second with \
             that of the column.",
            &tables::card_pairs(summary),
        ),
        faults(records),
        "<h2 id=\"games\">Games</h2><div id=\"browser\"></div>".to_string(),
    ];
    HtmlPage {
        generator: GENERATOR,
        title: &title,
        styles: &[CHART_STYLE, GAMES_STYLE, REPORT_STYLE],
        main: parts.concat(),
        data: Some(games::data(summary, records).to_string()),
        scripts: &[
            &[BOARD_SCRIPT, GAMES_SCRIPT].concat(),
            include_str!("page.js"),
        ],
    }
    .html()
}

fn title(summary: &TournamentSummary) -> String {
    let names: Vec<&str> = summary.players.iter().map(|p| p.name.as_str()).collect();
    match names.as_slice() {
        [first, second] => format!("{first} against {second}"),
        names => format!("Tournament of {} players", names.len()),
    }
}

/// The settings in words.
fn described(settings: &Settings) -> String {
    let cards = match settings.cards {
        CardChoice::None => "no cards".to_string(),
        CardChoice::Pair([a, b]) => format!("{a} against {b}"),
        CardChoice::All => "every ordered pair of cards".to_string(),
    };
    let openings = match &settings.openings {
        OpeningChoice::SetUp => "the players place their workers".to_string(),
        OpeningChoice::Random(turns) => {
            format!("openings of {turns} random turns, seed {}", settings.seed)
        }
        OpeningChoice::File { path, boards, .. } => format!("{boards} openings from {path}"),
    };
    let reuse = if settings.reuse {
        "players kept running"
    } else {
        "new processes for every game"
    };
    format!(
        "{} s a turn (and {} s of grace); {cards}; {openings}; {reuse}.",
        settings.time, settings.grace
    )
}

fn standings(summary: &TournamentSummary) -> String {
    let first_mover = match summary.first_mover_score {
        Some(score) => format!(
            " The player who moved first made {} of the points.",
            percent(score)
        ),
        None => String::new(),
    };
    let text = format!(
        "{}.{first_mover} LOS: the likelihood that the player is stronger than the next one.",
        text::games(summary)
    );
    section("Table", &text, &tables::standings(summary))
}

/// A table with its title and text; empty if it has no rows.
fn section(title: &str, text: &str, table: &Table) -> String {
    if table.is_empty() {
        return String::new();
    }
    format!("<h2>{title}</h2><p>{text}</p>{}", table.html())
}

/// Each line as a paragraph.
fn paragraphs(text: Option<String>) -> String {
    let text = text.unwrap_or_default();
    let lines = text.lines().map(|line| format!("<p>{}</p>", escape(line)));
    lines.collect()
}

/// The first games lost by a fault, with the output of the loser.
fn faults(records: &[GameRecord]) -> String {
    let faults: Vec<&GameRecord> = records.iter().filter(|r| r.why.is_some()).collect();
    if faults.is_empty() {
        return String::new();
    }
    let items = faults.iter().take(FAULTS_LISTED).map(|record| {
        let why = record.why.as_deref().unwrap_or_default();
        format!(
            "<li><a href=\"#game-{0}\">game {0}</a> {1}{2}</li>",
            record.number(),
            escape(why),
            evidence(record)
        )
    });
    let more = match faults.len().saturating_sub(FAULTS_LISTED) {
        0 => String::new(),
        more => format!("<p>{more} more are found among the games.</p>"),
    };
    format!(
        "<h2>Games lost by a fault</h2><details{}><summary>{} games</summary><ul>{}</ul>{more}</details>",
        if faults.len() <= 10 { " open" } else { "" },
        faults.len(),
        items.collect::<String>()
    )
}

/// The last question to the loser of a game, and its output, as HTML.
pub fn evidence(record: &GameRecord) -> String {
    let text = Evidence::of(record).unwrap_or_default().text();
    match text.trim_start_matches('\n') {
        "" => String::new(),
        text => format!("<pre>{}</pre>", escape(text)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::results::tests::game;
    use super::super::settings::tests::settings;
    use super::super::{OpeningChoice, Results};
    use super::*;

    const NASTY: &str = "<b>&\"'</script><script>alert(1)</script>";

    fn report(names: &[&str], records: &[GameRecord]) -> String {
        let mut settings = settings(names);
        settings.openings = OpeningChoice::Random(2);
        let mut results = Results::new(settings.names());
        for record in records {
            results.add(record).unwrap();
        }
        page(
            &settings,
            &TournamentSummary::of(&settings, &results),
            records,
        )
    }

    #[test]
    fn names_and_output_of_players_cannot_break_the_page() {
        let mut bad = game(1, ["B", NASTY], Some(0));
        bad.why = Some(format!("Error: {NASTY} crashed"));
        bad.more
            .insert("evidence".into(), json!({"output": NASTY, "stderr": ""}));
        let page = report(&[NASTY, "B"], &[game(0, [NASTY, "B"], Some(0)), bad]);
        assert!(!page.contains("<b>") && !page.contains("<script>alert"));
        // Only the page's own scripts.
        assert_eq!(page.matches("</script>").count(), 3);
        assert!(page.contains("&lt;b&gt;&amp;&quot;&#39;&lt;/script&gt;"));
    }

    #[test]
    fn a_player_that_only_fails_gets_a_warning() {
        let mut crash = game(0, ["A", "B"], Some(0));
        crash.ending = "crashed".into();
        let page = report(&["A", "B"], &[crash]);
        let words = "<p>B failed in its only game (1 crashed): its rating is meaningless.";
        assert!(page.contains(words), "{page}");
    }

    #[test]
    fn the_data_of_the_page_is_json() {
        let page = report(&["A", "B", "C"], &[game(0, ["A", "B"], Some(0))]);
        let begin = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
        let end = begin + page[begin..].find("</script>").unwrap();
        let data: Value = serde_json::from_str(&page[begin..end]).unwrap();
        assert_eq!(data["players"], json!(["A", "B", "C"]));
        assert_eq!(data["games"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn charts_have_curves_of_the_best_players() {
        let names: Vec<String> = ('A'..='L').map(String::from).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let games = (0..).zip(names.windows(2));
        let games = games.map(|(number, pair)| {
            let mut game = game(2 * number, [pair[0], pair[1]], Some(0));
            game.seconds = vec![0.1, 0.2];
            game
        });
        let page = report(&names, &games.collect::<Vec<_>>());
        for title in ["Score as the games went on", "Mean time of a turn"] {
            let (_, chart) = page.split_once(title).unwrap();
            let (chart, _) = chart.split_once("</figure>").unwrap();
            assert!(chart.starts_with(": the first 10 of 12 players"), "{chart}");
            assert!(
                chart.contains(">A</text>") && !chart.contains(">L</text>"),
                "{chart}"
            );
        }
    }

    #[test]
    fn a_tournament_without_games_has_a_page() {
        let page = report(&["A", "B"], &[]);
        assert!(page.contains("A against B") && page.ends_with("</html>\n"));
        assert!(!page.contains("NaN") && !page.contains("inf"));
    }
}
