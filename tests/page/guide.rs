//! The guide: its exercises checked by the rules, and each one solved in a browser.

use santorini::rules::{Position, Side, Turn};
use serde::Deserialize;
use serde_json::json;

use super::harness::Server;
use super::person::{choose, click, finish, is_seen, open, play, space, text};
use crate::browser::Browser;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exercise {
    id: String,
    title: String,
    card: Option<String>,
    position: String,
    task: String,
    goal: Vec<String>,
    threat: Option<String>,
    missed: Option<String>,
    done: String,
}

impl Exercise {
    fn is_goal(&self, turn: Turn) -> bool {
        let text = turn.text::<5>().to_string();
        self.goal.iter().all(|part| text.contains(part))
    }
}

fn exercises() -> Vec<Exercise> {
    let script = include_str!("../../src/people/page/web/exercises.js");
    let (_, list) = script.split_once("EXERCISES = ").unwrap();
    serde_json::from_str(list.trim_end().trim_end_matches(';')).unwrap()
}

#[test]
fn each_exercise_is_legal_and_has_a_right_and_a_wrong_turn() {
    let exercises = exercises();
    let steps: Vec<_> = exercises
        .iter()
        .take_while(|it| it.card.is_none())
        .collect();
    assert_eq!(steps.len(), 6);
    let cards = exercises[6..].iter().map(|it| it.card.clone().unwrap());
    let all = santorini::rules::Card::ALL.map(|card| card.name().to_string());
    assert_eq!(cards.collect::<Vec<_>>(), all);
    for exercise in &exercises {
        let id = &exercise.id;
        let position: Position<5> = exercise.position.parse().unwrap();
        let (levels, _) = exercise.position.split_once(' ').unwrap();
        let built: u32 = levels.chars().filter_map(|level| level.to_digit(10)).sum();
        assert_eq!(
            (built, built % 2),
            (position.turn(), 0),
            "{id}: turns and builds"
        );
        assert!(!position.shows_win(), "{id}");
        let card = position
            .card(Side::Mover)
            .map(|card| card.name().to_string());
        assert_eq!(card, exercise.card, "{id}");
        let (right, wrong): (Vec<_>, Vec<_>) = position
            .turns()
            .into_iter()
            .partition(|&turn| exercise.is_goal(turn));
        assert!(!right.is_empty() && !wrong.is_empty(), "{id}");
        for part in [&exercise.title, &exercise.task, &exercise.done] {
            assert!(!part.is_empty(), "{id}");
        }
        for turn in &right {
            let wins = turn.wins() || !position.play(*turn).has_turn();
            assert_eq!(
                wins,
                ["win", "stuck", "Pan"].contains(&id.as_str()),
                "{id}: {turn:?}"
            );
        }
        assert_eq!(exercise.threat.is_some(), exercise.missed.is_some(), "{id}");
        let Some(threat) = &exercise.threat else {
            continue;
        };
        let threat = Turn::parse::<5>(threat).unwrap();
        let replies = |turn: &Turn| position.play(*turn).turns();
        assert!(threat.wins() && wrong.iter().all(|turn| replies(turn).contains(&threat)));
        assert!(
            right
                .iter()
                .all(|turn| replies(turn).iter().all(|reply| !reply.wins()))
        );
    }
}

/// Plays the first correct turn like a person, with the buttons that it needs.
fn solve(browser: &mut Browser, exercise: &Exercise) {
    let position: Position<5> = exercise.position.parse().unwrap();
    let turns = position.turns();
    let turn = turns
        .into_iter()
        .find(|&turn| exercise.is_goal(turn))
        .unwrap();
    let turn = turn.text::<5>().to_string();
    space(browser, &turn[..2]);
    let steps = browser.evaluate(&format!("readTurn('{turn}').steps"));
    for step in steps.as_array().unwrap() {
        let (kind, at) = (step["kind"].as_str().unwrap(), step["at"].as_str().unwrap());
        let needed = format!("kindNow(options().next) === '{kind}' ? null : kindWords('{kind}')");
        if let Some(words) = browser.evaluate(&needed).as_str() {
            choose(browser, "#choices", words);
        }
        space(browser, at);
    }
    if browser.evaluate("state.entry.from !== null && !state.entry.isWhole") == json!(true) {
        choose(browser, "#choices", "Finish the turn");
    }
    browser.see("$('status').textContent", json!(exercise.done));
}

/// The parts of the page that an exercise needs.
const GUIDE: [&str; 4] = [".guide", "#board", "#status", "#choices"];

#[test]
fn the_guide_leads_to_a_game_against_level_1() {
    let server = Server::start(&["--time", "0.2"]);
    for (size, scheme) in [([390, 844], "light"), ([1280, 900], "dark")] {
        let Some(mut browser) = open(&server, size, scheme) else {
            return;
        };
        choose(&mut browser, "#choices", "New here?");
        for (index, exercise) in exercises().iter().take(6).enumerate() {
            let step = format!("Step {} of 6: {}.", index + 1, exercise.title);
            browser.wait_for(&format!(
                "document.querySelector('.guide').textContent.startsWith('{step}')"
            ));
            browser.see("$('status').textContent", "Choose one of your workers.");
            assert!(text(&mut browser, ".guide").ends_with(&exercise.task));
            is_seen(&mut browser, &GUIDE, &step);
            // An arrow points at the space that the task names, until it is used.
            browser.see("document.querySelectorAll('.overlay .target').length", 1);
            let others = "['moves', 'typed', 'nextButton', 'hintButton']";
            browser.see(
                &format!("{others}.some(id => $(id).checkVisibility())"),
                false,
            );
            if exercise.id == "block" {
                play_wrong(&mut browser, exercise);
            }
            choose(&mut browser, "#choices", "Show me");
            browser.wait_for(
                "document.querySelectorAll(`#board path[marker-end='url(#sn-best)']`).length === 1",
            );
            solve(&mut browser, exercise);
            is_seen(&mut browser, &GUIDE, &step);
            assert_eq!(
                browser.evaluate(include_str!("access.js")),
                json!([]),
                "{step}"
            );
            let next = if index < 5 {
                "Next: "
            } else {
                "Play against level 1"
            };
            choose(&mut browser, "#choices", next);
        }
        browser.see("state.mode", "place");
        browser.see("state.seats[1].level", 1);
        assert_eq!(
            browser.evaluate("storage.get('learned', []).length"),
            json!(6)
        );
        let offered = "$('choices').textContent.includes('New here?')";
        assert_eq!(browser.evaluate(offered), json!(false));
        finish(&mut browser, size[0]);
    }
}

/// Does not block: the other player wins, and the exercise starts again.
fn play_wrong(browser: &mut Browser, exercise: &Exercise) {
    space(browser, "b2");
    space(browser, "c2");
    space(browser, "c1");
    browser.see("$('status').textContent", json!(exercise.missed));
    browser.see("view().winner", 1);
    choose(browser, "#choices", "Try again");
    browser.wait_for("state.node === state.root");
}

#[test]
fn each_god_card_has_an_exercise() {
    let server = Server::start(&[]);
    let Some(mut browser) = open(&server, [1280, 900], "light") else {
        return;
    };
    // A game waits behind it.
    super::person::begin(&mut browser, None, ["b2", "d4", "b4", "d2"]);
    play(&mut browser, "b2-b3+b2");
    let exercises = exercises();
    for exercise in &exercises[6..] {
        click(&mut browser, "#rulesButton");
        click(
            &mut browser,
            &format!("[aria-label='Try it: {}']", exercise.id),
        );
        let words = format!("God card: {}. {}", exercise.title, exercise.task);
        browser.see("document.querySelector('.guide').textContent", json!(words));
        solve(&mut browser, exercise);
        // Another turn is legal, but does not solve the exercise.
        choose(&mut browser, "#actions", "Take back");
        let wrong = format!(
            "playTurn(view().turns.find(turn => !EXERCISES.find(exercise => exercise.id === '{}')
               .goal.every(part => turn.includes(part))))",
            exercise.id
        );
        browser.evaluate(&wrong);
        browser.wait_for("$('status').textContent.endsWith('Try again.')");
        browser.wait_for("/^You .* That is legal, but/.test($('status').textContent)");
        browser.wait_for("state.node === state.root");
    }
    choose(&mut browser, "#choices", "Leave");
    browser.see("state.mode === 'play' && state.node.turn", "b2-b3+b2");
    finish(&mut browser, 1280);
}
