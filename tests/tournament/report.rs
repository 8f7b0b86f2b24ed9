//! The report page of a real tournament, opened in a browser if one is installed.

use std::fs;
use std::path::Path;

use super::fake;
use crate::browser::{Browser, dom_of};
use crate::charts::assert_readable;
use crate::program::{SANTORINI, santorini};

/// Plays a small tournament and leaves its report in `report.html`.
fn play_in(folder: &Path) {
    let output = santorini(&["tournament"])
        .current_dir(folder)
        .args("--cards Minotaur Apollo --rounds 3 --openings 1 --time 5 --keep-going".split(' '))
        .args(["--html", "report.html", "--output", "games.jsonl"])
        .arg(fake("good", "random --wins"))
        .arg(fake("bad", "garbage --after 6"))
        .arg(format!(
            "sh -c '</script><b>; exec {SANTORINI} fake-player random'"
        ))
        .output()
        .unwrap();
    assert!(output.status.success());
}

#[test]
fn the_report_loads_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    play_in(folder.path());
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for outside in ["src=\"", "<link", "@import", "url(http"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(!page.contains("<b>"));
    for part in [
        "Tournament of 3 players",
        "Ratings",
        "How the games ended",
        "is not one JSON array or object",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let charts = page.matches("<figure>").count();
    assert_eq!(charts, 4);
    assert_readable(&folder.path().join("report.html"), charts);
    // The same report from the file, except for times and their charts.
    let merged = santorini(&["tournament", "merge", "games.jsonl", "--html", "again.html"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(merged.status.success());
    assert_eq!(
        fs::read_to_string(folder.path().join("again.html")).unwrap(),
        page
    );
}

#[test]
fn the_page_replays_the_game_in_its_address() {
    let folder = tempfile::tempdir().unwrap();
    play_in(folder.path());
    let Some(dom) = dom_of(&folder.path().join("report.html"), "game-9") else {
        return;
    };
    assert!(dom.contains("<h3>Game 9</h3>"), "{dom}");
    assert!(dom.contains("18 of 18 games"));
    assert!(dom.contains("class=\"sn-board\"") && dom.contains("turn 1: start"));
    // The row of the game is marked, and its cards are named.
    assert!(dom.contains("class=\"chosen\"><td><a href=\"#game-9\">9</a></td>"));
    assert!(dom.contains("(Minotaur)") && dom.contains("(Apollo)"));
}

#[test]
fn a_replay_shown_from_above_stays_so_for_all_games() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    play_in(folder.path());
    let page = folder.path().join("report.html");
    browser.resize(390, 800);
    browser.open(&format!("file://{}#game-9", page.display()));
    let heading = "document.querySelector('.replay h3')?.textContent";
    let is_flat = "document.querySelector('.sn-board [href=\"#sn-flat-grass0\"]') !== null";
    browser.see(heading, "Game 9");
    browser.see(is_flat, false);
    browser.evaluate("document.querySelector('.sn-buttons [aria-pressed]').click()");
    browser.wait_for(is_flat);
    browser.evaluate("location.hash = 'game-8'");
    browser.see(heading, "Game 8");
    browser.wait_for(is_flat);
    // Long names do not make the page wider than a phone.
    browser.evaluate(
        "document.querySelectorAll('h1, .sn-players span').forEach(name => {
           name.textContent = 'x'.repeat(99); })",
    );
    browser.see("document.documentElement.scrollWidth", 390);
    assert_eq!(browser.complaints(), [""; 0], "errors in the page");
}
