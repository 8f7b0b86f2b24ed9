//! Checks the published turn counts of `tests/data/perft.jsonl`: the base game, the 6x6
//! board and all 56 ordered pairs of cards.

use santorini::protocol::exchange::{board_size, read_board};
use serde_json::Value;

fn check<const N: usize>(row: &Value) {
    let position = read_board::<N>(&row["board"]).expect("the rows hold valid boards");
    for (depth, count) in (1..).zip(row["perft"].as_array().unwrap()) {
        assert_eq!(
            position.perft(depth),
            count.as_u64().unwrap(),
            "depth {depth} of {position}"
        );
    }
}

#[test]
fn turn_counts_match_the_published_ones() {
    let rows = include_str!("data/perft.jsonl").lines();
    let rows: Vec<Value> = rows
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(rows.len() >= 72);
    for row in &rows {
        match board_size(&row["board"]) {
            Some(5) => check::<5>(row),
            Some(6) => check::<6>(row),
            other => panic!("a board of {other:?} rows"),
        }
    }
}
