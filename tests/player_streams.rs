//! Properties of the player: the answers do not depend on how the input is cut, and no
//! input makes it panic.

use std::io::Read;

use proptest::prelude::*;
use santorini::player::{JsonPlayer, PlayerOptions};
use santorini::search::EngineOptions;
use serde_json::json;

use crate::player::{changed, example, example_with_cards, parse};
use crate::properties::cases;

/// A player with little time.
fn hasty_player() -> JsonPlayer {
    let engine = EngineOptions {
        hash_mib: 1,
        threads: 1,
        ..EngineOptions::default()
    };
    JsonPlayer::new(PlayerOptions {
        time: std::time::Duration::from_micros(100),
        overhead: None,
        nodes: None,
        ponder: false,
        handicap: None,
        engine,
    })
}

/// Returns a stream in pieces.
struct Pieces<'a>(std::vec::IntoIter<&'a [u8]>);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let piece = self.0.next().unwrap_or_default();
        buffer[..piece.len()].copy_from_slice(piece);
        Ok(piece.len())
    }
}

/// The output and errors of a new player.
fn answers<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (String, String) {
    let pieces: Vec<&[u8]> = pieces
        .into_iter()
        .filter(|piece| !piece.is_empty())
        .collect();
    let (mut output, mut errors) = (Vec::new(), Vec::new());
    let run = hasty_player().run(Pieces(pieces.into_iter()), &mut output, &mut errors);
    assert_eq!(run.unwrap(), errors.is_empty());
    (
        String::from_utf8(output).unwrap(),
        String::from_utf8(errors).unwrap(),
    )
}

/// Streams of some of the given values, with or without white space between them.
fn streams(values: Vec<String>) -> impl Strategy<Value = Vec<u8>> {
    let value = (prop::sample::select(values), r"[ \n]{0,2}");
    prop::collection::vec(value, 1..5).prop_map(|parts| {
        parts
            .into_iter()
            .flat_map(|(value, space)| (value + &space).into_bytes())
            .collect()
    })
}

/// Boards with a win, so that the answer does not depend on the time.
fn boards_with_a_win() -> Vec<String> {
    let with_cards = |first: &str, second: &str| {
        changed(|board| {
            board["players"] = json!([
                {"card": first, "tokens": [[2, 3], [4, 4]]},
                {"card": second, "tokens": [[2, 5], [3, 5]]}
            ]);
        })
    };
    vec![
        example().to_string(),
        format!("{:#}", example()),
        with_cards("Artemis", "Pan"),
        with_cards("Pan", "Prometheus"),
    ]
}

fn bad_values() -> Vec<String> {
    let values = [
        "[1]",
        "{}",
        "7",
        "nonsense\n",
        "[[[4,3],[2,\n",
        r#"{"players":"#,
    ];
    values.map(str::to_owned).to_vec()
}

fn good_values() -> Vec<String> {
    let mut values = boards_with_a_win();
    values.extend([
        "[]".to_owned(),
        "[[[4,3],[2,3]]]".to_owned(),
        r#"[{"card":"Artemis"},{"card":"Prometheus"}]"#.to_owned(),
        r#"[{"card":"Pan"},{"card":"Atlas","tokens":[[4,3],[2,3]]}]"#.to_owned(),
        example_with_cards().to_string(),
        changed(|board| board["players"][0] = json!([[1, 1], [5, 1]])),
    ]);
    values
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn any_split_of_a_stream_gives_the_same_answers(
        stream in streams([boards_with_a_win(), bad_values()].concat()),
        length in 1usize..40,
    ) {
        prop_assert_eq!(answers(stream.chunks(length)), answers([stream.as_slice()]));
    }
}

proptest! {
    #![proptest_config(cases(10_000))]

    #[test]
    fn mutated_inputs_neither_panic_nor_hang(
        mut stream in streams(good_values()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(b"[]{},:\"0123456789 \nat\xff".to_vec())), 1..5),
        kept in any::<prop::sample::Index>(),
    ) {
        for (place, byte) in changes {
            let place = place.index(stream.len());
            stream[place] = byte;
        }
        stream.truncate(kept.index(8 * stream.len()) + 1);
        let (output, errors) = answers([stream.as_slice()]);
        for answer in output.lines() {
            let value = parse(answer);
            prop_assert!(value.is_array() || value.is_object());
        }
        prop_assert!(errors.lines().all(|line| line.starts_with("santorini: line ")));
    }
}
