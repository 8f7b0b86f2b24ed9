//! The files of a tournament: the log of all lines, and the results as CSV.

use std::fs;

use super::harness::Server;

#[test]
fn lines_are_logged_and_results_written_as_csv() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (log, csv) = (path("lines.log"), path("results.csv"));
    let server = Server::start(&["--log", &log, "--csv", &csv]);
    let bots = server.decent(&["ada", "bo"]);
    let tables: Vec<String> = bots.into_iter().map(|bot| bot.join().unwrap()).collect();
    let (code, _) = server.end();
    assert_eq!(code, Some(0));
    let text = fs::read_to_string(&log).unwrap();
    let lines: Vec<Vec<&str>> = text
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().collect())
        .collect();
    // Its name, its answers, and what it was sent, up to the final table.
    let of = |bot: &str, arrow: &str| {
        let of: Vec<String> = lines
            .iter()
            .filter(|words| words[1..3] == [bot, arrow])
            .map(|words| words[3..].join(" "))
            .collect();
        of
    };
    for (bot, table) in ["ada", "bo"].into_iter().zip(&tables) {
        assert_eq!(of(bot, "->")[0], bot);
        assert!(of(bot, "->").len() > 4);
        let sent = of(bot, "<-");
        assert!(sent[0].starts_with("[\"placeWorker\""), "{text}");
        let last = sent.last().unwrap();
        assert_eq!(
            serde_json::from_str::<String>(last).unwrap().trim(),
            table.split_whitespace().collect::<Vec<_>>().join(" ")
        );
    }
    let seconds = lines.iter().map(|words| words[0].parse::<f64>().unwrap());
    assert!(seconds.collect::<Vec<_>>().is_sorted());
    let csv = fs::read_to_string(csv).unwrap();
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!(
        (rows[1][1..3].join(" "), rows[2][1..3].join(" ")),
        ("1 1".into(), "1 0".into())
    );
    let mut names = [rows[1][0], rows[2][0]];
    names.sort_unstable();
    assert_eq!(names, ["ada", "bo"]);
}

#[test]
fn waiting_for_bots_is_shown() {
    let server = Server::start_with_progress(&["--bots", "3"]);
    let line = server.notice("0 of 3 connected");
    assert!(line.starts_with("waiting for bots, "), "{line}");
    let _ada = server.enter("ada");
    server.notice(" so far: 1 of 3 connected");
}
