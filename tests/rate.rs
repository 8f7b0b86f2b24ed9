//! `santorini rate` on the real program.

use std::fs;
use std::process::{Output, Stdio};

use santorini::lab::spec::AgentSpec;
use santorini::rate::LADDER;
use serde_json::Value;

use crate::browser::dom_of;
use crate::charts::assert_readable;
use crate::place::{Place, fake};
use crate::program::{Program, SANTORINI, Signal, errors, santorini, signal, stdout, success};

impl Place {
    /// Rates a fake player with these options.
    fn rate(&self, options: &str, kind: &str) -> Output {
        let player = [fake("fake", kind)];
        self.command("rate", options, &player).output().unwrap()
    }
}

#[test]
fn the_opponents_of_the_ladder_are_agents() {
    for rung in LADDER {
        let spec: AgentSpec = rung.agent.parse().unwrap();
        assert_eq!(spec.to_string(), rung.agent);
    }
}

#[test]
fn a_rating_saves_its_games_and_can_be_resumed() {
    let place = Place::new();
    let options = "--games 20 --jobs 2 --output games.jsonl --html rating.html";
    let output = place.rate(options, "random --wins");
    let said = success(&output);
    let first = said.lines().next().unwrap();
    assert!(
        first.starts_with("fake: ") && first.contains(" +- "),
        "{said}"
    );
    assert!(
        first.ends_with(" Elo above random play (20 games, 95% confidence)"),
        "{said}"
    );
    assert!(
        said.contains("\nRated ") && said.contains(" of 20 games and lost "),
        "{said}"
    );
    let games = place.games("games.jsonl");
    assert_eq!(games.len(), 20);
    let merged = place.command("merge", "games.jsonl", &[]).output().unwrap();
    let told = errors(&merged);
    assert!(
        told.contains("santorini rate --resume --output games.jsonl"),
        "{told}"
    );
    assert!(!told.contains("missing"), "{told}");
    for game in &games {
        game.replay::<5>().unwrap();
        assert!(game.players.contains(&"fake".to_string()) && game.why.is_none());
    }
    let page = fs::read_to_string(place.path("rating.html")).unwrap();
    let lost = games.iter().filter(|game| {
        let seat = usize::from(game.players[0] != "fake");
        game.winner != Some(seat as u8)
    });
    let lost: Vec<u64> = lost.map(|game| game.game).collect();
    assert_eq!(page.matches("\"turning\":{").count(), lost.len());
    assert_readable(&place.path("rating.html"), 1);
    let number = lost[lost.len() / 2] + 1;
    if let Some(dom) = dom_of(&place.path("rating.html"), &format!("game-{number}")) {
        assert!(dom.contains(&format!("<h3>Game {number}</h3>")), "{dom}");
        // The row of the game is marked, and links to the board where it was lost.
        assert!(dom.contains(&format!(
            "class=\"chosen\"><td><a href=\"#game-{number}\">{number}</a></td>"
        )));
        assert!(dom.contains(&format!("<a href=\"#game-{number}-turn-")));
        assert!(dom.contains("class=\"sn-graph\"") && dom.contains("wins with a chance of"));
    }

    let again = "--games 24 --output games.jsonl --json";
    assert_eq!(place.rate(again, "random --wins").status.code(), Some(2));
    let other = place.rate(&format!("{again} --resume --time 1"), "random --wins");
    assert!(errors(&other).contains("time is 2.0 there and 1.0 here"));
    let other = errors(&place.rate(&format!("{again} --resume --seed 2"), "random --wins"));
    assert!(
        other.contains("another tournament: seed is 1 there and 2 here"),
        "{other}"
    );
    let output = place.rate(&format!("{again} --resume"), "random --wins");
    let json: Value = serde_json::from_str(&success(&output)).unwrap();
    assert_eq!(json["games"], 24);
    let [low, elo, high] = ["low", "elo", "high"].map(|key| json[key].as_f64().unwrap());
    // It plays at random, but takes a win if there is one.
    assert!(
        low < elo && elo < high && low > -800.0 && high < 1500.0,
        "{json}"
    );
    let numbers: Vec<u64> = place
        .games("games.jsonl")
        .iter()
        .map(|game| game.game)
        .collect();
    assert_eq!(numbers.len(), 24);
    assert!(
        (0..24).all(|number| numbers.contains(&number)),
        "{numbers:?}"
    );
    let more = place.rate("--games 20 --output games.jsonl --resume", "random --wins");
    let told = "games.jsonl has 24 games, more than --games 20: all of them count";
    assert!(errors(&more).contains(told), "{}", errors(&more));
}

#[test]
fn a_page_whose_review_is_interrupted_is_not_written() {
    let place = Place::new();
    let words = "--games 100 --error 1 --jobs 1 --output games.jsonl --html rating.html";
    let player = [fake("fake", "random")];
    let mut command = place.command("rate", words, &player);
    command.env("SANTORINI_PROGRESS", "0");
    let program = Program::start(command);
    program.notice("lost games reviewed");
    signal(program.id(), Signal::SIGINT);
    let ended = program.end();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    assert!(!place.path("rating.html").exists());
    assert!(ended.output[0].starts_with("fake: "), "{ended:?}");
    let last = ended.errors.last().unwrap();
    assert!(last.contains("rate --resume --games 100"), "{ended:?}");
}

#[test]
fn games_to_be_read_again_are_not_written_to_a_pipe() {
    let place = Place::new();
    for words in [
        "--games 2 --output /dev/stdout --html rating.html",
        "--games 2 --output /dev/stdout --resume --html rating.html",
    ] {
        let output = place.rate(words, "random");
        assert_eq!(output.status.code(), Some(2), "{words}");
        let told = errors(&output);
        assert!(
            told.contains("--html: it reads the games from --output"),
            "{told}"
        );
        assert_eq!(stdout(&output), "");
    }
    let words = "--ladder --games 2 --output /dev/stdout";
    let output = place.command("rate", words, &[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("--ladder: it reads the games"));
    assert_eq!(fs::read_dir(place.folder()).unwrap().count(), 0);
}

#[test]
fn a_program_that_cannot_play_gets_an_explanation() {
    let place = Place::new();
    let output = place.rate("--games 20", "garbage");
    assert_eq!(output.status.code(), Some(1));
    let told = errors(&output);
    assert!(
        told.contains("is not one JSON array or object") && told.contains("before any game"),
        "{told}"
    );
    assert_eq!(fs::read_dir(place.folder()).unwrap().count(), 0);
    // The explanation is printed even if the page cannot be written.
    let output = place.rate("--games 20 --html /dev/full", "garbage");
    let told = errors(&output);
    for part in ["/dev/full: ", "is not one JSON array or object"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let output = place.rate("--games 20 --jobs 1", "crash --after 2");
    assert_eq!(output.status.code(), Some(1));
    let told = errors(&output);
    for part in [
        "fake lost 10 of 10 games by faults. Game 10: fake exited",
        "exit code 3\n  it was asked     {",
        "\n  standard error   ",
        "--keep-going",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let last = told.lines().last().unwrap();
    assert!(
        last.contains("rate --resume --output rating-1.jsonl"),
        "{told}"
    );
    assert_eq!(place.games("rating-1.jsonl").len(), 10);
}

#[test]
fn a_program_without_a_rating_gets_a_page() {
    let place = Place::new();
    let page = |options: &str, kind: &str| {
        let words = format!("--jobs 1 --html rating.html {options}");
        let output = place.rate(&words, kind);
        assert_eq!(output.status.code(), Some(1), "{}", errors(&output));
        fs::read_to_string(place.path("rating.html")).unwrap()
    };
    let not_placed = page("--games 20", "garbage");
    assert!(
        not_placed.contains("<h1>fake: no rating</h1>"),
        "{not_placed}"
    );
    assert!(
        not_placed.contains("is not one JSON array or object"),
        "{not_placed}"
    );
    for (options, words) in [
        ("--games 20", "fake lost 10 of 10 games by faults"),
        (
            "--games 2 --keep-going",
            "fake: it lost all 2 games by faults",
        ),
    ] {
        let page = page(options, "crash --after 2");
        assert!(page.contains(words), "{page}");
        // The games, with what the player wrote.
        assert!(page.contains("<li>game 2: Error: fake exited"), "{page}");
        assert!(page.contains("crashing on purpose"), "{page}");
    }
}

#[test]
fn a_rating_is_printed_even_if_its_page_cannot_be_written() {
    let place = Place::new();
    let output = place.rate("--games 2 --jobs 1 --time 20 --html /dev/full", "random");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(stdout(&output).contains(" Elo above random play"));
    assert!(errors(&output).contains("/dev/full: "), "{output:?}");
}

#[test]
fn the_first_answer_of_a_rated_program_may_have_more_time() {
    let place = Place::new();
    let slow = format!("slow=sh -c 'sleep 3; exec {SANTORINI} fake-player random'");
    let rate = |options: &str| {
        let words = format!("--time 1 --games 2 --jobs 1 --output games.jsonl {options}");
        let mut command = place.command("rate", &words, std::slice::from_ref(&slow));
        command.output().unwrap()
    };
    let told = errors(&rate(""));
    assert!(
        told.contains("it was the first answer: starting counts, too"),
        "{told}"
    );
    let output = rate("--start-time 60");
    assert!(
        stdout(&output).contains("takes the opponents' ratings as exact"),
        "{output:?}"
    );
    assert!(output.status.success(), "{}", errors(&output));
    assert_eq!(place.games("games.jsonl").len(), 2);
    let told = errors(&rate("--start-time 50 --resume"));
    assert!(
        told.contains("start_time is 60.0 there and 50.0 here"),
        "{told}"
    );
}

#[test]
fn the_rating_page_shows_the_output_of_a_crash() {
    let place = Place::new();
    let words = "--games 6 --jobs 1 --output games.jsonl --html rating.html --keep-going";
    // It crashes in some games and completes others.
    let output = place.rate(words, "crash --after 60");
    assert!(output.status.success(), "{}", errors(&output));
    let games = place.games("games.jsonl");
    let stderr = games.iter().find_map(|game| {
        let evidence = game.more.get("evidence")?;
        evidence["stderr"].as_str().map(String::from)
    });
    let stderr = stderr.expect("a game was lost by a crash");
    let page = fs::read_to_string(place.path("rating.html")).unwrap();
    assert!(
        page.contains(&format!("standard error   {}", stderr.trim_end())),
        "{stderr}"
    );
}

#[test]
fn invalid_arguments_are_usage_errors() {
    for (words, said) in [
        (&["rate"][..], "CMD"),
        (&["rate", "--ladder", "--html", "x.html"], "--html"),
        (&["rate", "random=./x"], "an opponent has this name"),
        (&["rate", "'./x"], "unclosed quote"),
        (&["rate", "--error", "0", "./x"], "1 to 1000"),
        (&["rate", "--resume", "./x"], "--output"),
    ] {
        let output = santorini(words).stdin(Stdio::null()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let told = errors(&output);
        assert!(told.contains(said), "{words:?}: {told}");
    }
}
