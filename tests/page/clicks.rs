//! Highlighted spaces, checked against the slow rules of `reference/`: every way to make a
//! legal turn is highlighted step by step, and nothing else is. Needs `node`.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::page::{BackendOptions, PageBackend, PageMessage};
use santorini::rules::{Card, Position, Turn};
use santorini::search::EngineOptions;
use serde_json::{Value, json};

use crate::installed::installed;
use crate::legal_turns::{board_of, random_workers};
use crate::reference::{Board, Space};

/// The tested script of the page, read when the test runs.
const STEPS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/people/page/web/steps.js");

/// Follows all highlighted spaces on each board of its input, and writes where they lead.
const FOLLOW: &str = r#"
    const routesFrom = (ways, from, steps) => {
      const { next, whole } = following(ways, from, steps);
      const routes = next.flatMap(step => routesFrom(ways, from, [...steps, step]));
      const clicks = steps.map(({ kind, at }) => kind + at).join("");
      return whole ? [[from + clicks, whole], ...routes] : routes;
    };
    for (const line of require("node:fs").readFileSync(0, "utf8").trim().split("\n")) {
      const view = JSON.parse(line);
      const ways = waysOf(view);
      const own = view.scene.workers[view.scene.mover].map(nameOf);
      console.log(JSON.stringify(own.flatMap(from => routesFrom(ways, from, []))));
    }
"#;

/// A position of a random game, or a random board with workers anywhere below a dome.
fn random_position<const N: usize>(
    cards: [Option<Card>; 2],
    rng: &mut Xoshiro256PlusPlus,
) -> Position<N> {
    loop {
        let workers = random_workers::<N>(rng);
        if rng.random_bool(0.5) {
            let highest = rng.random_range(1..=4);
            let mut levels = [[0; N]; N];
            let spaces = levels.as_flattened_mut().iter_mut();
            spaces.for_each(|level| *level = rng.random_range(0..=highest));
            if let Ok(position) = Position::new(&levels, workers, cards, 7) {
                return position;
            }
        } else {
            let start = Position::start(workers, cards).unwrap();
            let mut position = start;
            for _ in 0..rng.random_range(0..30) {
                match position.random_turn(rng) {
                    Some(turn) if !turn.wins() => position = position.play(turn),
                    _ => break,
                }
            }
            return position;
        }
    }
}

fn name((row, column): Space) -> String {
    let column = char::from(b'a' + column);
    format!("{column}{}", row + 1)
}

/// A board as the page gets it, the routes of the slow rules, and the results of its
/// turns.
struct Case {
    view: Value,
    expected: BTreeSet<(String, Board)>,
    after: Box<dyn Fn(&str) -> Board>,
}

fn case<const N: usize>(position: Position<N>, backend: &PageBackend) -> Case {
    let question = json!({ "id": 1, "do": "look", "position": position.to_string() });
    let message = PageMessage::read(&question.to_string()).unwrap();
    let answer = backend.answer(&message, &AtomicBool::new(false), &mut |_| {});
    let routes = board_of(&position).routes().into_iter().map(|route| {
        let parts = route.parts.iter();
        let parts: String = parts
            .map(|&(sign, at)| format!("{sign}{}", name(at)))
            .collect();
        (name(route.from) + &parts, route.after)
    });
    Case {
        view: answer["ok"].clone(),
        expected: routes.collect(),
        after: Box::new(move |text| board_of(&position.play(Turn::parse::<N>(text).unwrap()))),
    }
}

fn cases(card: Card, backend: &PageBackend, rng: &mut Xoshiro256PlusPlus) -> Vec<Case> {
    let others = Card::ALL.into_iter().filter(|&other| other != card);
    let others: Vec<Card> = others.collect();
    let mut cases = Vec::new();
    for place in 0..40 {
        let other = others[rng.random_range(0..others.len())];
        let cards = [Some(card), Some(other)];
        cases.push(match place % 4 {
            0 => case(random_position::<6>(cards, rng), backend),
            _ => case(random_position::<5>(cards, rng), backend),
        });
    }
    cases
}

#[test]
fn every_way_to_make_a_legal_turn_can_be_clicked() {
    let Some(node) = installed(&["node"]) else {
        return;
    };
    let options = BackendOptions {
        time: Duration::from_secs(1),
        engine: EngineOptions {
            hash_mib: 1,
            ..EngineOptions::default()
        },
    };
    let backend = PageBackend::new(options, None);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(17);
    let cases: Vec<Case> = (Card::ALL.into_iter())
        .flat_map(|card| cases(card, &backend, &mut rng))
        // A player without a legal turn has lost and can click nothing.
        .filter(|case| case.view["winner"].is_null())
        .collect();
    let mut child = Command::new(node)
        .args(["-e", &(std::fs::read_to_string(STEPS).unwrap() + FOLLOW)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    for case in &cases {
        writeln!(input, "{}", case.view).unwrap();
    }
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let mut lines = output.stdout.split(|&byte| byte == b'\n');
    for case in &cases {
        let lit: Vec<(String, String)> = serde_json::from_slice(lines.next().unwrap()).unwrap();
        let lit = lit.into_iter();
        let lit: BTreeSet<_> = lit
            .map(|(route, turn)| (route, (case.after)(&turn)))
            .collect();
        let names = |routes: BTreeSet<&(String, Board)>| -> Vec<String> {
            routes.into_iter().map(|(route, _)| route.clone()).collect()
        };
        let dead = names(case.expected.difference(&lit).collect());
        let wrong = names(lit.difference(&case.expected).collect());
        let board = &case.view["position"];
        assert!(
            dead.is_empty() && wrong.is_empty(),
            "{board}: not lit {dead:?}; illegal {wrong:?}"
        );
    }
}
