//! Games with variations and comments, to and from records.
//!
//! A record stores variations and comments in the key `tree`: a list with the start
//! first, then each turn after the one that it follows (see `PROTOCOL.txt`). Other programs
//! ignore it.

use serde_json::{Map, Value, json};

use super::message::TreeEntry;
use super::view::{legal, node};
use crate::at_size;
use crate::draw::{AnySource, Scene};
use crate::people::game_record::record_of_scenes;
use crate::printable::printable;
use crate::protocol::exchange::read_board;
use crate::record::GameRecord;
use crate::rules::{AnyPosition, Position, Turn};

/// The key of variations and comments in a record.
const TREE: &str = "tree";

/// The names of players without a name.
const UNNAMED: [&str; 2] = ["First player", "Second player"];

/// The maximum turns of a game with all its variations.
const MOST_BRANCHES: usize = 2_000;

/// The maximum characters of a comment or name.
const LONGEST_TEXT: usize = 2_000;

/// Opens a game: a record, or boards that `santorini draw` accepts. The answer has the
/// turns in the order of the tree, with a scene for each.
///
/// # Errors
/// If the value is not a valid game.
pub(super) fn open(value: &Value) -> Result<Value, String> {
    if value.get("turns").is_none() {
        return boards(value);
    }
    let record = GameRecord::from_value(value.clone()).map_err(|error| {
        let why = error.to_string().replace("missing field", "it has no key");
        format!("this is not a game record: {why}")
    })?;
    match record.size() {
        Some(6) => open_record::<6>(&record),
        _ => open_record::<5>(&record),
    }
}

fn open_record<const N: usize>(record: &GameRecord) -> Result<Value, String> {
    // The game itself must be valid, whatever the tree says.
    let replay = record.replay::<N>().map_err(|error| error.to_string())?;
    let start = record.start.as_ref().ok_or("the game has no start board")?;
    let start = read_board::<N>(start).map_err(|error| error.to_string())?;
    let mut tree = match record.more.get(TREE) {
        None => line(&record.turns),
        Some(tree) => serde_json::from_value(tree.clone())
            .map_err(|error| format!("the tree of variations: {error}"))?,
    };
    let nodes = grow(&start, &mut tree)?;
    let turns = replay.turns.iter().map(|turn| turn.text::<N>().to_string());
    let line = main_line(&tree).into_iter();
    if !turns.eq(line.filter_map(|index| tree[index].turn.clone())) {
        return Err("the tree of variations does not start with the turns of the game".into());
    }
    let seats = record.players.iter().zip(UNNAMED);
    let players = seats.map(|(name, unnamed)| match name.trim() {
        "" => unnamed.into(),
        _ => printable(name),
    });
    Ok(json!({
        "players": players.collect::<Vec<_>>(), "winner": record.winner, "ending": record.ending,
        "why": record.why, "nodes": shown(&nodes, &tree),
    }))
}

/// Opens a game given by its boards.
fn boards(value: &Value) -> Result<Value, String> {
    let boards = AnySource::default()
        .add(value)
        .map_err(|error| error.to_string())?;
    let mut nodes = Vec::new();
    for scene in &boards.scenes {
        let (turn, mut view) = at_size!(scene, scene => (scene.turn_text(), node(scene)));
        if let Some(after) = nodes.len().checked_sub(1) {
            let turn = turn.ok_or_else(|| {
                format!("no legal turn leads from board {} to the next", nodes.len())
            })?;
            view["after"] = json!(after);
            view["turn"] = json!(turn);
        }
        nodes.push(view);
    }
    if nodes.is_empty() {
        return Err("there is no board in this".into());
    }
    Ok(json!({ "players": UNNAMED, "winner": null, "ending": null,
               "why": null, "nodes": nodes }))
}

/// The tree of a game without variations.
fn line(turns: &[String]) -> Vec<TreeEntry> {
    let branch = |(after, turn): (usize, &String)| TreeEntry {
        after: Some(after),
        turn: Some(turn.clone()),
        comment: None,
    };
    let turns = turns.iter().enumerate().map(branch);
    std::iter::once(TreeEntry::default()).chain(turns).collect()
}

/// The entries of the main line: the start, then at each entry the first that follows it.
fn main_line(tree: &[TreeEntry]) -> Vec<usize> {
    let mut line = vec![0];
    // Each entry comes after the one that it follows, so one pass is enough.
    for (index, branch) in tree.iter().enumerate() {
        if branch.after == line.last().copied() {
            line.push(index);
        }
    }
    line
}

/// Checks each turn of a tree and writes it in notation. Returns the scenes.
fn grow<const N: usize>(
    start: &Position<N>,
    tree: &mut [TreeEntry],
) -> Result<Vec<Scene<N>>, String> {
    let Some((
        TreeEntry {
            after: None,
            turn: None,
            ..
        },
        branches,
    )) = tree.split_first_mut()
    else {
        return Err("a tree must begin with the start of the game, which is not a turn".into());
    };
    if branches.len() > MOST_BRANCHES {
        let turns = branches.len();
        return Err(format!(
            "{turns} turns; with variations the maximum is {MOST_BRANCHES}"
        ));
    }
    let mut scenes = vec![Scene::new(start)];
    for (index, branch) in branches.iter_mut().enumerate() {
        let number = index + 1;
        let before = branch.after.and_then(|after| scenes.get(after));
        let before =
            before.ok_or_else(|| format!("entry {number} does not follow an earlier one"))?;
        let text = branch.turn.as_deref().unwrap_or_default();
        if before.winner().is_some() {
            return Err(format!("entry {number} follows the end of the game"));
        }
        let turn: Turn =
            legal(before.position(), text).map_err(|error| format!("entry {number}: {error}"))?;
        branch.turn = Some(turn.text::<N>().to_string());
        let after = before.followed_by(turn);
        scenes.push(after);
    }
    let mut comments = tree.iter().filter_map(|branch| branch.comment.as_deref());
    if comments.any(is_long) {
        return Err(format!(
            "a comment is longer than {LONGEST_TEXT} characters"
        ));
    }
    Ok(scenes)
}

fn is_long(text: &str) -> bool {
    text.chars().nth(LONGEST_TEXT).is_some()
}

fn shown<const N: usize>(scenes: &[Scene<N>], tree: &[TreeEntry]) -> Vec<Value> {
    let shown = scenes.iter().zip(tree).map(|(scene, branch)| {
        let mut node = node(scene);
        node["after"] = json!(branch.after);
        node["turn"] = json!(branch.turn);
        node["comment"] = json!(branch.comment);
        node
    });
    shown.collect()
}

/// The record of a game, as a line of a file: its main line, and the tree if there is
/// more.
///
/// # Errors
/// If the tree is invalid.
pub(super) fn record(
    start: &AnyPosition,
    tree: &[TreeEntry],
    players: &[String; 2],
) -> Result<Value, String> {
    if players.iter().any(|name| is_long(name)) {
        return Err(format!("a name is longer than {LONGEST_TEXT} characters"));
    }
    let record = at_size!(start, start => record_of(start, tree, players))?;
    let text = serde_json::to_string(&record).map_err(|error| error.to_string())?;
    Ok(json!({ "record": text + "\n" }))
}

fn record_of<const N: usize>(
    start: &Position<N>,
    tree: &[TreeEntry],
    players: &[String; 2],
) -> Result<GameRecord, String> {
    let mut tree = tree.to_vec();
    let scenes = grow(start, &mut tree)?;
    let line = main_line(&tree);
    let is_more = line.len() < tree.len() || tree.iter().any(|it| it.comment.is_some());
    let mut more = Map::new();
    if is_more {
        more.insert(TREE.into(), json!(tree));
    }
    let line: Vec<_> = line.into_iter().map(|index| &scenes[index]).collect();
    Ok(record_of_scenes(&line, players.clone(), more))
}

#[cfg(test)]
mod tests {
    use super::super::view::{look, parse_position};
    use super::*;

    const START: &str = "03000/20000/00000/00000/10000 a1c1 a5e5 0";

    fn branch(after: usize, turn: &str) -> TreeEntry {
        TreeEntry {
            after: Some(after),
            turn: Some(turn.into()),
            comment: None,
        }
    }

    fn tree() -> Vec<TreeEntry> {
        let mut tree = vec![
            TreeEntry::default(),
            branch(0, "c1-d1+e1"),
            branch(1, "a5-a4+a5"),
            branch(0, "c1-c2+c1"),
            branch(2, "d1-c1+d1"),
            branch(3, "e5-e4+e5"),
        ];
        tree[3].comment = Some("better?".into());
        tree
    }

    fn saved(tree: &[TreeEntry]) -> Result<Value, String> {
        let start = parse_position(START).unwrap();
        let saved = record(&start, tree, &["Ann".into(), "Bob".into()])?;
        Ok(serde_json::from_str(saved["record"].as_str().unwrap()).unwrap())
    }

    #[test]
    fn a_game_with_variations_is_saved_and_opened() {
        let record = saved(&tree()).unwrap();
        assert_eq!(record["turns"], json!(["c1-d1+e1", "a5-a4+a5", "d1-c1+d1"]));
        assert_eq!(record["ending"], "interrupted");
        let game = open(&record).unwrap();
        assert_eq!(game["players"], json!(["Ann", "Bob"]));
        let nodes = game["nodes"].as_array().unwrap();
        assert_eq!(nodes.len(), 6);
        assert_eq!(nodes[3]["comment"], "better?");
        assert_eq!(
            (&nodes[5]["after"], &nodes[5]["turn"]),
            (&json!(3), &json!("e5-e4+e5"))
        );
        assert!(nodes[5]["position"].as_str().unwrap().ends_with(" 2"));
        let mut unnamed = record.clone();
        unnamed["players"] = json!([" ", "b\u{202e}\n"]);
        assert_eq!(
            open(&unnamed).unwrap()["players"],
            json!(["First player", r"b\u{202e}\n"])
        );
        // Without variations it is a plain record.
        let plain = saved(&tree()[..3]).unwrap();
        assert!(plain.get("tree").is_none());
        assert_eq!(open(&plain).unwrap()["nodes"].as_array().unwrap().len(), 3);
    }

    #[test]
    fn every_board_of_a_game_has_its_cards() {
        let start = parse_position(&format!("{START} Pan Atlas")).unwrap();
        let names = ["Ann".into(), "Bob".into()];
        let saved = record(&start, &tree()[..3], &names).unwrap();
        let saved: Value = serde_json::from_str(saved["record"].as_str().unwrap()).unwrap();
        let game = open(&saved).unwrap();
        for node in game["nodes"].as_array().unwrap() {
            assert_eq!(node["cards"], json!(["Pan", "Atlas"]));
        }
    }

    #[test]
    fn a_board_that_shows_a_win_is_saved_as_won() {
        let start = parse_position("00000/00300/00000/00000/00000 c2c4 b3d3 0").unwrap();
        let names = ["Ann".into(), "Bob".into()];
        let saved = record(&start, &[TreeEntry::default()], &names).unwrap();
        let saved: Value = serde_json::from_str(saved["record"].as_str().unwrap()).unwrap();
        assert_eq!(
            (&saved["ending"], &saved["winner"]),
            (&json!("win"), &json!(0))
        );
    }

    #[test]
    fn any_spelling_of_a_turn_is_accepted() {
        let mut record = saved(&tree()).unwrap();
        record["turns"][0] = json!(" C1xD1+E1");
        let game = open(&record).unwrap();
        assert_eq!(game["nodes"][1]["turn"], "c1-d1+e1");
        let mut spelled = tree();
        spelled[1].turn = Some("C1-d1 + e1".into());
        assert_eq!(saved(&spelled), saved(&tree()));
    }

    #[test]
    fn boards_in_a_row_open_as_a_game() {
        let game = open(&saved(&tree()).unwrap()).unwrap();
        let board = |index: usize| {
            let text = game["nodes"][index]["position"].as_str().unwrap();
            look(&parse_position(text).unwrap(), None).unwrap()["board"].clone()
        };
        let boards = json!({"boards": [board(0), board(1), board(2)]});
        let nodes = &open(&boards).unwrap()["nodes"];
        assert_eq!(nodes[2]["turn"], "a5-a4+a5");
        let gap = json!([board(0), board(2)]);
        assert!(open(&gap).unwrap_err().contains("no legal turn leads"));
        assert!(open(&json!([])).unwrap_err().contains("no board"));
        assert!(open(&json!(3)).is_err());
    }

    #[test]
    fn invalid_trees_are_refused() {
        let mut cases = vec![(vec![], "begin with the start")];
        cases.push((vec![branch(0, "c1-d1+e1")], "which is not a turn"));
        cases.push((
            vec![TreeEntry::default(), branch(1, "c1-d1+e1")],
            "does not follow",
        ));
        cases.push((
            vec![TreeEntry::default(), branch(0, "c1-e1+d1")],
            "not legal",
        ));
        cases.push((
            vec![TreeEntry::default(), TreeEntry::default()],
            "does not follow",
        ));
        let mut long = tree();
        long[1].comment = Some("x".repeat(LONGEST_TEXT + 1));
        cases.push((long, "a comment is longer than"));
        cases.push((
            vec![TreeEntry::default(); MOST_BRANCHES + 2],
            "the maximum is 2000",
        ));
        for (tree, words) in cases {
            let error = saved(&tree).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
        let mut record = saved(&tree()).unwrap();
        record["turns"] = json!(["c1-c2+c1"]);
        assert!(
            open(&record)
                .unwrap_err()
                .contains("does not start with the turns")
        );
        record["turns"] = json!(["c1-c5+c1"]);
        assert!(open(&record).is_err());
    }
}
