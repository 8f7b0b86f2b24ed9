//! SVG pictures are well formed, show everything on the board, and equal those of the
//! script for web pages.

use std::collections::BTreeSet;
use std::process::Command;

use santorini::draw::{
    AnyScene, AnySource, BOARD_SCRIPT, PictureOptions, Scene, View, contact_sheet,
};
use santorini::rules::{Extra, Position, Side, Turn};
use serde_json::{Value, json};

use crate::draw_text::after;
use crate::installed::installed;
use crate::program::success;

/// The tags of a document. Fails unless it is well-formed XML without comments and CDATA.
fn tags(document: &str) -> Vec<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut tags = Vec::new();
    let mut rest = document;
    while let Some(start) = rest.find('<') {
        assert_text(&rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closed in order");
            continue;
        }
        let content = tag.strip_suffix('/').unwrap_or(tag);
        let name = content.split_whitespace().next().expect("a name");
        assert!(name.chars().all(char::is_alphanumeric), "{name:?}");
        assert_attributes(&content[name.len()..]);
        tags.push(content.to_string());
        if content.len() == tag.len() {
            open.push(name);
        }
    }
    assert_text(rest);
    assert!(open.is_empty(), "left open: {open:?}");
    tags
}

fn assert_text(text: &str) {
    let after_ampersands = text.split('&').skip(1);
    for entity in after_ampersands {
        let name = entity.split(';').next().unwrap_or_default();
        assert!(["amp", "lt", "gt", "quot"].contains(&name), "{text:?}");
    }
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'));
}

fn assert_attributes(mut text: &str) {
    let mut names = BTreeSet::new();
    while !text.trim().is_empty() {
        let (name, value) = text.split_once("=\"").expect("name=\"value\"");
        assert!(names.insert(name.trim().to_string()), "{name} twice");
        let (value, rest) = value.split_once('"').expect("a closing quote");
        assert_text(value);
        text = rest;
    }
}

fn count(tags: &[String], what: &str) -> usize {
    tags.iter().filter(|tag| tag.contains(what)).count()
}

/// The number of times that a shape is placed on a board.
fn placed(tags: &[String], shape: &str) -> usize {
    count(tags, &format!("href=\"#sn-{shape}\" x="))
}

/// The number of spaces with a mark.
fn marked(tags: &[String], mark: &str) -> usize {
    count(tags, &format!("rect class=\"sn-{mark}\""))
}

#[test]
fn a_board_has_all_its_towers_workers_and_marks() {
    let scene = after::<5>("00002/11200/10030/00300/00014 c2d4 e2e3 18", "c2-c3+c4");
    let tags = tags(&scene.svg(PictureOptions::default()));
    for (shape, times) in [
        ("grass0", 13),
        ("grass1", 12),
        // Nine towers, seven of which are higher than one level, and so on.
        ("level1", 9),
        ("level2", 5),
        ("level3", 3),
        ("level4", 2),
        ("worker0", 2),
        ("worker1", 2),
        ("plus", 1),
    ] {
        assert_eq!(placed(&tags, shape), times, "{shape}");
    }
    for mark in ["left", "arrived", "built"] {
        assert_eq!(marked(&tags, mark), 1, "{mark}");
    }
    assert_eq!(count(&tags, "url(#sn-head)"), 1);
    assert_eq!(count(&tags, "url(#sn-push)"), 0);
    let svg = scene.svg(PictureOptions::default());
    for text in ["19. c2-c3+c4", "second player to move", ">a<", ">e<", ">5<"] {
        assert!(svg.contains(text), "{text}");
    }
    // The worker that moved stands in the middle, on column c, row 3.
    assert!(svg.contains("href=\"#sn-worker0\" x=\"200\" y=\"141\""));
}

#[test]
fn pushed_workers_and_second_steps_are_marked_on_6x6() {
    let start = "000000/000000/000000/000000/000000/000012 c3d6 d3a6 1 Minotaur Pan";
    let pushed = tags(&after::<6>(start, "c3xd3+d4").svg(PictureOptions::default()));
    assert_eq!(count(&pushed, "url(#sn-push)"), 1);
    assert_eq!(placed(&pushed, "grass0") + placed(&pushed, "grass1"), 36);
    let start = "000000/000000/000000/000000/000000/000000 a1e5 e1e2 0 Artemis Pan";
    let twice = tags(&after::<6>(start, "a1-b1-c1+d1").svg(PictureOptions::default()));
    assert_eq!(marked(&twice, "left"), 2);
}

fn options(view: View) -> PictureOptions {
    PictureOptions {
        view,
        ..Default::default()
    }
}

/// The shapes of a view and their places.
fn shapes(svg: &str) -> Vec<String> {
    let tags = tags(svg).into_iter();
    tags.filter(|tag| tag.starts_with("use ")).collect()
}

#[test]
fn no_worker_hides_the_level_of_its_tower() {
    let position = "01230/00000/00000/00000/00000 b1c1 d1e5 10";
    let scene = Scene::new(&position.parse::<Position<5>>().unwrap());
    for view in [View::Towers, View::Flat] {
        let tags = tags(&scene.svg(options(view)));
        // A worker is 36 wide, in the middle of its space.
        for x in [178, 276, 376] {
            assert_eq!(count(&tags, &format!("class=\"sn-level\" x=\"{x}\"")), 1);
        }
    }
}

#[test]
fn height_lifts_a_worker_and_a_flat_board_has_none() {
    let [low, high] = ["00000", "02000"].map(|row| {
        let position = format!("00000/{row}/00000/00000/00000 b2d4 e2e3 18");
        Scene::new(&position.parse::<Position<5>>().unwrap())
    });
    let worker = |scene: &Scene<5>, view| {
        let found = shapes(&scene.svg(options(view)));
        found
            .into_iter()
            .find(|tag| tag.contains("worker0"))
            .unwrap()
    };
    assert!(worker(&low, View::Towers).contains("x=\"100\" y=\"59\""));
    assert!(worker(&high, View::Towers).contains("x=\"100\" y=\"24\""));
    let flat = worker(&low, View::Flat);
    assert_eq!(flat, worker(&high, View::Flat));
    let towers = shapes(&high.svg(options(View::Flat)));
    assert!(towers.iter().any(|tag| tag.contains("#sn-flat-level2")));
    assert!(!towers.iter().any(|tag| tag.contains("#sn-level")));
}

/// The relative luminance of a colour, #rrggbb, as WCAG 2.2 defines it.
fn luminance(colour: &str) -> f64 {
    let channel = |at: usize| {
        let part = u8::from_str_radix(&colour[at..at + 2], 16).unwrap();
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

fn contrast(a: &str, b: &str) -> f64 {
    let [a, b] = [a, b].map(|colour| luminance(colour) + 0.05);
    a.max(b) / a.min(b)
}

#[test]
fn neighbouring_levels_and_their_digits_are_told_apart() {
    let fill = |class: &str| {
        let (_, rule) = BOARD_SCRIPT
            .split_once(&format!(".{class}{{"))
            .expect(class);
        let (_, colour) = rule.split_once("fill:").expect(class);
        colour[..7].to_string()
    };
    let floors = ["sn-floor0", "sn-floor1", "sn-floor2", "sn-floor3"].map(fill);
    for [lower, upper] in floors.array_windows() {
        let found = contrast(lower, upper);
        assert!(found >= 1.8, "{lower} and {upper}: {found:.2}");
    }
    assert!(contrast(&fill("sn-floor0-dark"), &floors[1]) >= 1.8);
    // A dome on the third level, at its lightest but for the highlight, and at its rim.
    let (_, dome) = BOARD_SCRIPT.split_once("id=\"sn-dome-light\"").unwrap();
    let stops: Vec<&str> = dome
        .split("stop-color=\"")
        .skip(2)
        .take(2)
        .map(|stop| &stop[..7])
        .collect();
    assert!(
        stops.iter().all(|stop| contrast(stop, &floors[3]) >= 1.8),
        "{stops:?}"
    );
    for floor in &floors[1..] {
        assert!(
            contrast(&fill("sn-level"), floor) >= 4.5,
            "a digit on {floor}"
        );
    }
    // Each level is drawn with its own colour in both views.
    for level in 1..=3 {
        for shape in [format!("sn-level{level}"), format!("sn-flat-level{level}")] {
            let (_, drawn) = BOARD_SCRIPT
                .split_once(&format!("<g id=\"{shape}\">"))
                .expect(&shape);
            let (drawn, _) = drawn.split_once("</g>").unwrap();
            assert!(
                drawn.contains(&format!("class=\"sn-floor{level}\"")),
                "{shape}"
            );
        }
    }
}

#[test]
fn columns_have_the_numbers_of_the_json_only_if_asked_for() {
    let scene = after::<5>("00000/00000/00000/00000/00000 c2c4 b3d3 0", "c2-b2+b1");
    let columns = |json_columns| {
        let options = PictureOptions {
            json_columns,
            ..Default::default()
        };
        count(&tags(&scene.svg(options)), "tspan class=\"sn-minor\"")
    };
    assert_eq!([columns(false), columns(true)], [0, 5]);
}

#[test]
fn names_cannot_break_a_picture() {
    let scene = after::<5>("00000/00000/00000/00000/00000 c2c4 b3d3 0", "c2-b2+b1")
        .named(["<script>alert(\"&\")</script>", &"x\u{7}".repeat(500)]);
    let svg = scene.svg(PictureOptions::default());
    tags(&svg);
    assert!(svg.contains("&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;"));
    assert!(!svg.contains(&"x?".repeat(30)), "a long name is cut");
}

/// The games of `tests/data/card-games.jsonl` whose turns are all legal.
fn card_games() -> Vec<Vec<Scene<5>>> {
    let mut source = AnySource::default();
    let games = include_str!("data/card-games.jsonl").lines().map(|line| {
        let value: Value = serde_json::from_str(line).unwrap();
        let scenes = source.add(&value).unwrap().scenes;
        let five = scenes.into_iter().map(|scene| match scene {
            AnyScene::Five(scene) => scene,
            AnyScene::Six(_) => panic!("the games are played on 5x5 boards"),
        });
        five.collect::<Vec<_>>()
    });
    let games: Vec<_> = games.collect();
    assert_eq!(games.len(), 282);
    let legal = |game: &Vec<Scene<5>>| game.iter().all(|scene| scene.note().is_none());
    let games: Vec<_> = games.into_iter().filter(legal).collect();
    assert_eq!(games.len(), 281, "one of the games has an illegal turn");
    games
}

#[test]
fn a_sheet_has_every_board_of_a_game() {
    let games = card_games();
    let game = games.iter().max_by_key(|game| game.len()).unwrap();
    let sheet = contact_sheet(game, PictureOptions::default());
    let tags = tags(&sheet);
    assert_eq!(count(&tags, "class=\"sn-board\""), game.len());
    assert_eq!(placed(&tags, "worker0"), 2 * game.len());
    assert_eq!(marked(&tags, "arrived"), game.len() - 1);
    for scene in &game[1..] {
        let caption = format!(
            "{}. {}",
            scene.position().turn(),
            scene.turn_text().unwrap()
        );
        assert!(sheet.contains(&caption), "{caption}");
    }
    assert!(sheet.contains(" wins"));
    assert!(sheet.contains(&format!(
        "({})",
        game[0].position().card(Side::Mover).unwrap()
    )));
}

/// Games with a turn of every kind that is drawn differently.
fn kinds(games: &[Vec<Scene<5>>]) -> Vec<&Vec<Scene<5>>> {
    let has = |kind: fn(&Turn) -> bool| {
        let found = games.iter().find(|game| {
            let mut turns = game.iter().filter_map(|scene| scene.last());
            turns.any(|last| kind(&last.turn))
        });
        found.expect("the card games have turns of all kinds")
    };
    vec![
        has(|turn| turn.displaces()),
        has(|turn| turn.is_dome()),
        has(|turn| matches!(turn.extra(), Extra::Via(_))),
        has(|turn| matches!(turn.extra(), Extra::FirstBuild(_))),
        has(|turn| matches!(turn.extra(), Extra::SecondBuild(b) if Some(b) == turn.build())),
        has(|turn| matches!(turn.extra(), Extra::SecondBuild(b) if Some(b) != turn.build())),
    ]
}

/// The drawn elements of a board, sorted.
fn elements(svg: &str) -> Vec<String> {
    let drawn = |tag: &String| {
        ["use ", "path ", "text ", "rect "]
            .iter()
            .any(|name| tag.starts_with(name))
    };
    let mut elements: Vec<String> = tags(svg).into_iter().filter(drawn).collect();
    elements.sort();
    elements
}

/// The script replays the turns of a record and draws the boards. Both must agree with the
/// rules and `svg.rs`. Needs `node`.
#[test]
fn the_script_for_web_pages_draws_the_same_boards() {
    let Some(node) = installed(&["node"]) else {
        return;
    };
    let games = card_games();
    let mut pushes = games.iter().filter(|game| {
        let minotaur = |scene: &Scene<5>| {
            let card = scene.position().card(Side::Other);
            let displaced = scene.last().is_some_and(|last| last.turn.displaces());
            displaced && card == Some(santorini::rules::Card::Minotaur)
        };
        game.iter().any(minotaur)
    });
    let mut chosen = kinds(&games);
    chosen.push(pushes.next().expect("a game with a push"));
    for game in chosen {
        let turns: Vec<String> = game.iter().filter_map(Scene::turn_text).collect();
        let start = santorini::protocol::exchange::write_board(game[0].position());
        let record = json!({
            "game": 0, "players": ["A", "B"], "start": start, "turns": turns,
            "seconds": [], "winner": 0, "ending": "win",
        });
        for view in [View::Towers, View::Flat] {
            let flat = view == View::Flat;
            let program = format!(
                "{BOARD_SCRIPT}\nfor (const scene of santorini.scenes({record})) \
                 console.log(santorini.svg(scene, {{ flat: {flat} }}));"
            );
            let output = Command::new(node).arg("-e").arg(program).output().unwrap();
            let drawn = success(&output);
            assert_eq!(drawn.lines().count(), game.len());
            for (scene, script) in game.iter().zip(drawn.lines()) {
                let svg = scene.svg(options(view));
                let start = svg.find("<g class=\"sn-board\"").unwrap();
                let end = start + svg[start..].find("</g>").unwrap() + "</g>".len();
                let same = elements(&svg[start..end]) == elements(script);
                assert!(same, "{view:?}, {}: {script}", scene.position());
            }
        }
    }
}
