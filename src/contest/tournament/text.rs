//! The outcome of a tournament as plain text, for people and for programs that read
//! columns.

use std::fmt::Write;

use super::results::faults;
use super::summary::TournamentSummary;
use super::tables;
use crate::stats::{Duel, SprtSummary, decimal_text, los_text};
use crate::table::{Table, percent, shortened};

/// The whole outcome, in lines.
pub fn text(summary: &TournamentSummary) -> String {
    let mut parts = vec![standings(summary)];
    let tables = [
        tables::cross(summary),
        tables::endings(summary),
        tables::cards(summary),
    ];
    let tables = tables.iter().filter(|table| !table.is_empty());
    parts.extend(tables.map(Table::text));
    parts.extend(summary.fair_duel().map(compared));
    parts.extend(broken(summary));
    parts.join("\n")
}

/// The difference between two players, and why the Elo of the table differs from it.
pub fn compared(duel: &Duel) -> String {
    let is_stopped = duel
        .sprt
        .as_ref()
        .is_some_and(|test| test.decision.is_some());
    let why = match duel.counts_pairs() {
        true if is_stopped => {
            "The table's Elo is relative to the mean and counts single games; this difference \
             counts pairs.\n"
        }
        false => "The table's Elo is relative to the mean; this is the difference of the two.\n",
        true => {
            "The table's Elo is relative to the mean and counts single games; this difference \
             counts pairs and is the one to report.\n"
        }
    };
    self::duel(duel) + why
}

/// A warning for each player with only faults, as with a mistyped command, in lines. (If neither
/// player can be started, the game is drawn.)
pub fn broken(summary: &TournamentSummary) -> Option<String> {
    let failing = summary.players.iter().filter(|player| player.only_faults());
    let lines = failing.map(|player| {
        let faults = faults(&player.endings);
        let kinds = faults.iter().map(|(kind, count)| format!("{count} {kind}"));
        let kinds: Vec<String> = kinds.collect();
        let lost: u64 = faults.iter().map(|(_, count)| count).sum();
        let games = match player.games {
            1 => "its only game".to_string(),
            games if lost == games => format!("all of its {games} games"),
            games => format!("{lost} of its {games} games, without one legal answer"),
        };
        format!(
            "{} failed in {games} ({}): its rating is meaningless.",
            shortened(&player.name),
            kinds.join(", ")
        )
    });
    let lines: Vec<String> = lines.collect();
    let why = "`santorini merge --faults` on the file of the games shows why.";
    (!lines.is_empty()).then(|| format!("{} {why}\n", lines.join("\n")))
}

fn standings(summary: &TournamentSummary) -> String {
    let mut text = games(summary);
    if let Some(score) = summary.first_mover_score {
        let _ = write!(
            text,
            "; the player who moved first made {} of the points",
            percent(score)
        );
    }
    text + "\n" + &tables::standings(summary).text()
}

/// The number of games, and how many are scheduled.
pub fn games(summary: &TournamentSummary) -> String {
    match &summary.duel {
        // The length of a sequential test is unknown.
        Some(duel) if duel.sprt.is_some() => format!("{} games", summary.games),
        _ => format!("{} of {} games", summary.games, summary.scheduled),
    }
}

/// The difference between two players, in lines.
pub fn duel(duel: &Duel) -> String {
    let [first, second] = duel.players.each_ref().map(|name| shortened(name));
    let mut text = format!("{first} against {second}: ");
    match duel.estimate() {
        Some(elo) => {
            let _ = writeln!(text, "{}, LOS {}", elo.text(1), los_text(duel.los));
        }
        None => text += "no games\n",
    }
    if duel.pairs.iter().any(|&count| count > 0) {
        let pairs = duel.pairs.map(|count| count.to_string());
        let _ = write!(
            text,
            "pairs with 0, 0.5, 1, 1.5, 2 points: {}",
            pairs.join(" ")
        );
        text += &match duel.left_out() {
            0 => "\n".to_string(),
            1 => "; 1 game without its pair is not used for the Elo\n".to_string(),
            alone => format!("; {alone} games without their pairs are not used for the Elo\n"),
        };
    }
    if let Some(test) = &duel.sprt {
        text += &sprt(test);
        text.push('\n');
        if test.decision.is_some() {
            text += "A match that the test ends exaggerates the difference, and its interval is \
                     too narrow.\n";
        }
    }
    text
}

/// The state of a sequential test, in one line.
pub fn sprt(test: &SprtSummary) -> String {
    let setting = &test.setting;
    let verdict = match test.decision {
        Some("H1") => format!("H1 accepted: rather Elo {}", setting.elo1),
        Some(_) => format!("H0 accepted: rather Elo {}", setting.elo0),
        None => "not decided".to_string(),
    };
    format!(
        "SPRT {} to {}: LLR {} ({:.2} to {:.2}), {verdict}",
        setting.elo0,
        setting.elo1,
        decimal_text(test.llr, 2),
        test.lower,
        test.upper
    )
}

#[cfg(test)]
mod tests {
    use super::super::Results;
    use super::super::results::tests::game;
    use super::super::settings::tests::settings;
    use super::*;
    use crate::stats::{EloModel, Frequencies, SprtSetting};

    fn table(names: &[&str], sprt: bool) -> String {
        let mut settings = settings(names);
        settings.sprt = sprt.then_some(SprtSetting {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::Logistic,
        });
        let mut results = Results::new(settings.names());
        let pairs = settings.schedule().pairs();
        for pair in (0..pairs).flat_map(|pair| settings.schedule().pair(pair)) {
            let players = pair.players.map(|player| names[player]);
            // The player named first wins; the last game is drawn.
            let winner = u8::from(pair.players[0] > pair.players[1]);
            let winner = (pair.game + 1 < 2 * pairs).then_some(winner);
            results.add(&game(pair.game, players, winner)).unwrap();
        }
        text(&TournamentSummary::of(&settings, &results))
    }

    #[test]
    fn three_players_get_a_cross_table() {
        let text = table(&["Ada", "Bo", "Cy"], false);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "12 of 12 games; the player who moved first made 54.5% of the points"
        );
        let words = |line: &str| {
            line.split_whitespace()
                .map(String::from)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            words(lines[1]).join(" "),
            "# player games won drawn lost points score Elo +- LOS mean ms worst ms"
        );
        assert_eq!(
            words(lines[2])[..8],
            ["1", "Ada", "8", "8", "0", "0", "8.0", "100.0%"]
        );
        assert_eq!(
            words(lines[4])[..8],
            ["3", "Cy", "8", "0", "1", "7", "0.5", "6.2%"]
        );
        assert_eq!(words(lines[4])[10..], ["-", "-", "-"]);
        assert!(
            text.contains("#  won-lost against    1      2      3\n"),
            "{text}"
        );
        assert!(
            text.contains("3  Cy                0-4  0-3=1      -\n"),
            "{text}"
        );
        assert!(
            text.contains("1  Ada          8-0              0-0\n"),
            "{text}"
        );
        assert!(lines.iter().all(|line| line.trim_end() == *line));
    }

    #[test]
    fn draw_columns_appear_only_with_drawn_games() {
        let settings = settings(&["a", "b"]);
        let mut results = Results::new(settings.names());
        results.add(&game(0, ["a", "b"], Some(0))).unwrap();
        let text = text(&TournamentSummary::of(&settings, &results));
        let head: Vec<&str> = text.lines().nth(1).unwrap().split_whitespace().collect();
        assert_eq!(head[..6], ["#", "player", "games", "won", "lost", "score"]);
    }

    #[test]
    fn the_elo_of_the_table_is_explained() {
        let settings = settings(&["a", "b"]);
        let mut results = Results::new(settings.names());
        let told = |results: &Results| text(&TournamentSummary::of(&settings, results));
        results.add(&game(0, ["a", "b"], Some(0))).unwrap();
        let single = told(&results);
        assert!(
            single.ends_with("this is the difference of the two.\n"),
            "{single}"
        );
        results.add(&game(1, ["b", "a"], Some(0))).unwrap();
        let pair = told(&results);
        assert!(
            pair.ends_with("counts pairs and is the one to report.\n"),
            "{pair}"
        );
    }

    #[test]
    fn a_game_without_its_pair_is_mentioned() {
        let names = ["A", "B"].map(String::from);
        let told = |games: [u64; 3]| {
            let pairs = Frequencies([0, 0, 7, 0, 3]);
            duel(&Duel::of(names.clone(), &Frequencies(games), &pairs, None))
        };
        assert!(told([7, 0, 13]).ends_with("points: 0 0 7 0 3\n"));
        let text = told([8, 0, 13]);
        assert!(
            text.contains(": 0 0 7 0 3; 1 game without its pair"),
            "{text}"
        );
    }

    #[test]
    fn a_player_that_only_fails_gets_a_warning() {
        let settings = settings(&["a", "b", "c"]);
        let told = |games: [([&str; 2], &str); 3], seconds: &[f64]| {
            let mut results = Results::new(settings.names());
            for (number, (players, ending)) in (0..).zip(games) {
                let mut record = game(2 * number, players, Some(0));
                record.ending = ending.into();
                record.seconds = seconds.to_vec();
                results.add(&record).unwrap();
            }
            text(&TournamentSummary::of(&settings, &results))
        };
        let warning = "its rating is meaningless";
        let answered = [0.1, 0.1];
        // Every player lost one game and won the other.
        let games = [["a", "b"], ["b", "c"], ["c", "a"]];
        let games = games.map(|players| (players, "crashed"));
        assert!(!told(games, &answered).contains(warning));
        // A game won because the opponent failed hides no failure.
        let text = told(games, &[]);
        let line = "\nb failed in 1 of its 2 games, without one legal answer (1 crashed): ";
        assert!(text.contains(line), "{text}");
        assert_eq!(text.matches(warning).count(), 3, "{text}");
        assert_eq!(text.matches("merge --faults").count(), 1, "{text}");
        let games = [
            (["a", "b"], "crashed"),
            (["c", "b"], "crashed"),
            (["a", "c"], "win"),
        ];
        let text = told(games, &answered);
        assert!(
            text.contains("\nb failed in all of its 2 games (2 crashed)"),
            "{text}"
        );
        assert_eq!(text.matches(warning).count(), 1, "{text}");
    }

    #[test]
    fn two_players_get_their_difference_and_test() {
        let text = table(&["new", "old"], true);
        assert!(text.contains("new against old: Elo +"), "{text}");
        assert!(text.contains("points: 0 0 0 1 1\n"), "{text}");
        assert!(text.contains("SPRT 0 to 5: LLR 0."), "{text}");
        assert!(text.contains("(-2.94 to 2.94), not decided\n"), "{text}");
        assert!(text.ends_with("is the one to report.\n"), "{text}");
    }

    #[test]
    fn a_match_that_the_test_ended_is_not_a_measurement() {
        let setting = SprtSetting {
            elo0: 0.0,
            elo1: 100.0,
            alpha: 0.05,
            beta: 0.05,
            model: EloModel::Logistic,
        };
        let names = ["new", "old"].map(String::from);
        let pairs = Frequencies([5, 0, 20, 0, 40]);
        let of = |games| Duel::of(names.clone(), &games, &pairs, Some(setting));
        let text = compared(&of(Frequencies([30, 0, 100])));
        assert!(text.contains("H1 accepted"), "{text}");
        assert!(text.contains("exaggerates the difference"), "{text}");
        assert!(!text.contains("the one to report"), "{text}");
    }
}
