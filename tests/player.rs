//! The player program over real pipes, against every rule of the exchange protocol.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use proptest::prelude::*;
use santorini::player::{JsonPlayer, PlayerOptions};
use santorini::search::EngineOptions;
use serde_json::{Value, json};

use crate::program::{Ended, Program, player, santorini};
use crate::reference::Board;

/// The example board of the protocol; c4 can step up to win.
fn example() -> Value {
    json!({
        "players": [[[2, 3], [4, 4]], [[2, 5], [3, 5]]],
        "spaces": [[0, 0, 0, 0, 2], [1, 1, 2, 0, 0], [1, 0, 0, 3, 0], [0, 0, 3, 0, 0], [0, 0, 0, 1, 4]],
        "turn": 18
    })
}

/// A board with cards, Pan to move.
fn example_with_cards() -> Value {
    let mut board = example();
    board["players"] = json!([
        {"card": "Pan", "tokens": [[1, 1], [5, 1]]},
        {"card": "Atlas", "tokens": [[2, 5], [3, 5]]}
    ]);
    board
}

/// Runs the command on this input to its end.
fn run(command: Command, input: &[u8]) -> Ended {
    let mut program = Program::start(command);
    program.send(input);
    program.end()
}

fn parse(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

/// Checks that the answer is the board after a legal turn.
fn assert_legal(board: &Value, answer: &str) {
    let legal = Board::from_json(board).after_turns();
    assert!(
        legal.contains(&Board::from_json(&parse(answer))),
        "{answer} to {board}"
    );
}

/// Checks for two different spaces of the board that are not taken.
fn assert_placed(tokens: &Value, taken: &[[u64; 2]]) {
    let mut spaces: Vec<[u64; 2]> = serde_json::from_value(tokens.clone()).unwrap();
    assert_eq!(spaces.len(), 2);
    spaces.extend(taken);
    assert!(
        spaces.iter().flatten().all(|d| (1..=5).contains(d)),
        "{spaces:?}"
    );
    spaces.sort_unstable();
    assert!(spaces.windows(2).all(|two| two[0] != two[1]), "{spaces:?}");
}

#[test]
fn set_ups_are_answered_in_both_seats() {
    let inputs = concat!(
        r#"[] [[[4,3],[2,3]]] [{"card":"Pan"},{"card":"Atlas"}]"#,
        r#"[{"card":"Pan"},{"card":"Atlas","tokens":[[4,3],[2,3]]}]"#,
    );
    let ended = run(player("0.05"), inputs.as_bytes());
    assert_eq!((ended.code, &ended.errors), (Some(0), &vec![]));
    let [first, second, first_card, second_card] = &ended.output[..] else {
        panic!("{ended:?}")
    };
    let first = parse(first);
    assert_eq!(first.as_array().unwrap().len(), 1);
    assert_placed(&first[0], &[]);
    // The first player's workers stay as given, in order.
    let second = parse(second);
    assert_eq!(second.as_array().unwrap().len(), 2);
    assert_eq!(second[0], json!([[4, 3], [2, 3]]));
    assert_placed(&second[1], &[[4, 3], [2, 3]]);
    let first = parse(first_card);
    assert_eq!(first[0], json!({"card": "Atlas"}));
    assert_eq!(first[1]["card"], "Pan");
    assert_placed(&first[1]["tokens"], &[]);
    let second = parse(second_card);
    assert_eq!(
        second[0],
        json!({"card": "Atlas", "tokens": [[4, 3], [2, 3]]})
    );
    assert_eq!(second[1]["card"], "Pan");
    assert_placed(&second[1]["tokens"], &[[4, 3], [2, 3]]);
}

#[test]
fn boards_of_unrelated_games_are_answered_in_any_order() {
    let mut later = example();
    later["players"] = json!([[[1, 1], [5, 1]], [[2, 5], [3, 5]]]);
    let boards = [
        example(),
        example_with_cards(),
        later.clone(),
        example(),
        later,
    ];
    let mut program = Program::start(player("0.05"));
    program.send(b"[]");
    program.line();
    for board in &boards {
        program.send(board.to_string().as_bytes());
        assert_legal(board, &program.line());
    }
    let nothing_more = Ended {
        output: vec![],
        errors: vec![],
        code: Some(0),
    };
    assert_eq!(program.end(), nothing_more);
}

#[test]
fn a_win_is_played_without_a_build() {
    let ended = run(player("5"), example().to_string().as_bytes());
    let mut won = example();
    won["players"] = json!([[[2, 5], [3, 5]], [[3, 4], [4, 4]]]);
    won["turn"] = json!(19);
    assert_eq!(
        ended
            .output
            .iter()
            .map(|line| parse(line))
            .collect::<Vec<_>>(),
        [won]
    );
}

#[test]
fn an_answer_needs_only_the_closing_bracket() {
    let mut program = Program::start(player("0.02"));
    let board = example().to_string();
    let (start, last) = board.as_bytes().split_at(board.len() - 1);
    for &byte in start {
        program.send(&[byte]);
    }
    program.send(last);
    assert_legal(&example(), &program.line());
    // Several values in one write, white space wherever JSON allows it.
    let spread = board.replace(',', " ,\r\n\t").replace('[', "[ \n");
    program.send(format!("{spread}{board}\n\n{board}").as_bytes());
    for _ in 0..3 {
        assert_legal(&example(), &program.line());
    }
    assert_eq!(program.end().code, Some(0));
}

#[test]
fn no_input_needs_no_answer() {
    for input in ["", " \n\t\r\n"] {
        let ended = run(player("0.02"), input.as_bytes());
        assert_eq!(
            ended,
            Ended {
                output: vec![],
                errors: vec![],
                code: Some(0)
            }
        );
    }
}

/// The example with one thing changed.
fn changed(change: impl FnOnce(&mut Value)) -> String {
    let mut board = example();
    change(&mut board);
    board.to_string()
}

#[test]
fn invalid_input_is_named_on_one_line_and_skipped() {
    let stuck = json!({
        "players": [[[1, 1], [1, 2]], [[2, 1], [2, 2]]],
        "spaces": [[0, 0, 4, 0, 0], [0, 0, 4, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]],
        "turn": 9
    });
    let cases = [
        ("nonsense".into(), "line 1, column 2: not JSON"),
        (
            "5".into(),
            "line 1, column 1: expected an array or an object, found 5",
        ),
        (
            " \"[]\"".into(),
            "line 1, column 2: expected an array or an object",
        ),
        ("[[]]".into(), "the first player"),
        ("[1,2,3]".into(), "the set-up array"),
        (
            "[[[1,1],[1,1]]]".into(),
            "two workers stand on space a1 (1,1)",
        ),
        ("[[[1,1],[1,6]]]".into(), "from 1 to 5"),
        (
            r#"[{"card":"Pan"},{"card":"Zeus"}]"#.into(),
            "no card is called \"Zeus\"",
        ),
        (
            r#"[{"card":"Pan"},{"card":"Pan"}]"#.into(),
            "both players have the card Pan",
        ),
        (
            r#"[{"card":"Pan"},[[1,1],[2,2]]]"#.into(),
            "the second player",
        ),
        (r#"[{"card":"Pan"}]"#.into(), "the set-up array"),
        (
            r#"[{"card":"Pan","tokens":[[1,1],[2,2]]},{"card":"Atlas"}]"#.into(),
            "tokens",
        ),
        ("{}".into(), "the board has no \"spaces\""),
        (
            changed(|board| board["spaces"][4][4] = json!(5)),
            "spaces, row 5, column 5: expected a level",
        ),
        (
            changed(|board| board["spaces"][4][4] = json!(-1)),
            "row 5, column 5",
        ),
        (
            changed(|board| board["spaces"][2] = json!([0, 0, 0, 0])),
            "spaces, row 3: expected an array of 5",
        ),
        (
            changed(|board| board["spaces"] = json!(vec![[0; 6]; 6])),
            "spaces: expected an array of 5 rows",
        ),
        (
            changed(|board| board["turn"] = json!("18")),
            "turn: expected a whole number",
        ),
        (
            changed(|board| board["turn"] = json!(-1)),
            "turn: expected a whole number",
        ),
        (
            changed(|board| board["players"][0][0] = json!([4, 4])),
            "two workers stand on space d4 (4,4)",
        ),
        (
            changed(|board| board["players"][0][0] = json!([2, 5])),
            "two workers stand on space e2 (2,5)",
        ),
        (
            changed(|board| board["players"][0][0] = json!([5, 5])),
            "a worker stands on space e5 (5,5)",
        ),
        (
            changed(|board| board["players"][0][0] = json!([0, 1])),
            "players[0]: expected a space",
        ),
        (
            changed(|board| board["players"][0] = json!([[1, 1]])),
            "players[0]: expected an array of 2",
        ),
        (
            changed(|board| board["players"][1] = json!({"card": "Pan"})),
            "players[1], tokens",
        ),
        (
            changed(|board| {
                board["players"][1] = json!({"card": "Pan", "tokens": [[1, 1], [1, 2]]})
            }),
            "one player has the card Pan and the other has none",
        ),
        (
            changed(|board| board["players"][0][0] = json!([3, 4])),
            "the game is over: a worker stands on level 3",
        ),
        (
            stuck.to_string(),
            "the game is over: the player to move cannot move and build",
        ),
        (
            format!("{}{}", "[".repeat(65), "]".repeat(65)),
            "nested more than 64 deep",
        ),
        (
            format!("[{}]", " ".repeat(1 << 20)),
            "more than 1048576 bytes",
        ),
    ];
    for (input, reason) in cases {
        let ended = run(
            player("0.02"),
            format!("{input}\n{}\n", example()).as_bytes(),
        );
        assert_eq!(ended.errors.len(), 1, "{input}: {ended:?}");
        let error = &ended.errors[0];
        assert!(error.starts_with("santorini: line 1, column "), "{error}");
        assert!(error.contains(reason), "{error} names {reason}");
        assert!(error.len() < 250, "{error}");
        assert_eq!(ended.output.len(), 1, "{input}");
        assert_legal(&example(), &ended.output[0]);
        assert_eq!(ended.code, Some(1), "{input}");
    }
}

#[test]
fn unknown_keys_are_ignored() {
    let input = changed(|board| board["comment"] = json!({"by": ["a", "referee"]}));
    let ended = run(player("0.02"), input.as_bytes());
    assert_eq!(
        (ended.output.len(), ended.errors.len(), ended.code),
        (1, 0, Some(0))
    );
}

#[test]
fn truncated_input_is_invalid() {
    let board = example().to_string();
    let ended = run(player("0.02"), &board.as_bytes()[..board.len() - 1]);
    assert_eq!(
        (ended.output.len(), ended.errors.len(), ended.code),
        (0, 1, Some(1))
    );
    assert!(ended.errors[0].contains("the input ends inside a value"));
}

#[test]
fn a_closed_output_is_an_error() {
    let mut command = player("0.02");
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    let board = format!("{}\n", example());
    // The input stays open: the closed output ends the program.
    input.write_all(board.as_bytes()).unwrap();
    let mut errors = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut errors)
        .unwrap();
    assert_eq!(
        errors,
        "santorini: standard output: Broken pipe (os error 32)\n"
    );
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_full_output_is_named() {
    let mut command = player("0.02");
    let full = std::fs::File::create("/dev/full").unwrap();
    command
        .stdin(Stdio::piped())
        .stdout(full)
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"[]").unwrap();
    let ended = child.wait_with_output().unwrap();
    let errors = String::from_utf8(ended.stderr).unwrap();
    assert!(
        errors.starts_with("santorini: standard output: "),
        "{errors}"
    );
    assert_eq!(ended.status.code(), Some(1));
}

#[test]
fn an_invalid_time_variable_is_named_but_ignored() {
    for seconds in ["soon", "", "-1", "0", "inf", "1e99"] {
        let ended = run(player(seconds), example().to_string().as_bytes());
        assert_eq!((ended.output.len(), ended.code), (1, Some(0)), "{seconds}");
        assert_eq!(ended.errors.len(), 1);
        assert!(
            ended.errors[0].contains("SANTORINI_TIME"),
            "{}",
            ended.errors[0]
        );
    }
}

#[test]
fn the_player_subcommand_takes_options() {
    let with = |arguments: &[&str]| {
        let mut command = player("3600");
        command.arg("player").args(arguments);
        command
    };
    let board = example_with_cards();
    for arguments in [
        ["--time", "0.05", "--hash", "1"],
        ["--hash", "3", "--time", ".05"],
        ["--overhead", "0", "--time", "0.05"],
        ["--time", "0.02", "--overhead", "60"],
    ] {
        let ended = run(with(&arguments), board.to_string().as_bytes());
        assert_legal(&board, &ended.output[0]);
        assert_eq!(ended.code, Some(0));
    }
    for wrong in [
        ["--time", "soon"],
        ["--time", "0"],
        ["--overhead", "-1"],
        ["--hash", "0"],
        ["--hash", "x"],
        ["--nodes", "0"],
        ["--speed", "9"],
    ] {
        let ended = santorini(&["player"]).args(wrong).output().unwrap();
        assert_eq!(ended.status.code(), Some(2), "{wrong:?}");
        assert!(ended.stdout.is_empty() && !ended.stderr.is_empty());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn pondering_searches_in_the_opponents_time() {
    use crate::program::wait_until;
    use std::thread::sleep;
    use std::time::Duration;

    let board = json!({
        "players": [[[2, 2], [4, 4]], [[2, 4], [4, 2]]],
        "spaces": ([[0; 5]; 5]),
        "turn": 0
    });
    let start = |options: &[&str]| {
        let mut command = santorini(&["player", "--time", "0.05", "--threads", "1"]);
        command.args(options);
        let mut program = Program::start(command);
        program.send(board.to_string().as_bytes());
        assert_legal(&board, &program.line());
        program
    };
    let mut pondering = start(&["--ponder"]);
    let before = processor_ticks(pondering.id());
    wait_until("a search in the opponent's time", || {
        processor_ticks(pondering.id()) > before + 10
    });
    pondering.send(board.to_string().as_bytes());
    assert_legal(&board, &pondering.line());
    assert_eq!(pondering.end().code, Some(0));

    let idle = start(&[]);
    sleep(Duration::from_millis(100));
    let before = processor_ticks(idle.id());
    sleep(Duration::from_millis(400));
    assert!(processor_ticks(idle.id()) < before + 10);
    for other in [["--nodes", "9"], ["--level", "3"]] {
        let refused = santorini(&["player", "--ponder"]).args(other).output();
        assert_eq!(refused.unwrap().status.code(), Some(2), "{other:?}");
    }
}

/// The processor time of a process, in hundredths of a second.
#[cfg(target_os = "linux")]
fn processor_ticks(process: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let (_, after_name) = stat.rsplit_once(')').unwrap();
    let times = after_name.split_whitespace().skip(11).take(2);
    times.map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}

#[test]
fn a_node_limit_ends_a_search_early() {
    let board = json!({
        "players": [[[2, 2], [4, 4]], [[2, 4], [4, 2]]],
        "spaces": ([[0; 5]; 5]),
        "turn": 0
    });
    let mut command = player("3600");
    command.args("player --nodes 5000 --threads 1".split(' '));
    let ended = run(command, format!("{board}{board}").as_bytes());
    assert_eq!((ended.code, ended.output.len()), (Some(0), 2));
    assert_legal(&board, &ended.output[0]);
}

/// The peak memory of a process, in KiB.
#[cfg(target_os = "linux")]
fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded_and_allocated_on_use() {
    let mut program = Program::start(player("1"));
    program.send(example().to_string().as_bytes());
    program.line();
    let at_first = peak_memory(program.id());
    assert!(at_first < 32 << 10, "{at_first} KiB for the first answer");
    let board = changed(|board| board["players"][0] = json!([[1, 1], [5, 1]]));
    for input in ["[]", &board, &example_with_cards().to_string()] {
        program.send(input.as_bytes());
        program.line();
    }
    // Values of nearly 1 MiB with very many parts, in places where they are ignored and
    // where they are invalid.
    let parts = |part: &str| format!("[{}0]", part.repeat(1_048_000 / part.len()));
    for part in [r#"{"":0},"#, r#"{"a":{"b":0}},"#, "[],", "0,"] {
        let parts: Value = parts(part).parse().unwrap();
        program.send(changed(|board| board["comment"] = parts.clone()).as_bytes());
        assert_legal(&example(), &program.line());
        program.send(changed(|board| board["players"] = parts).as_bytes());
    }
    // An unfinished value of more than the maximum length.
    let endless = format!("[{}\n[]\n[]\n", "0,".repeat(10 << 20));
    program.send(endless.as_bytes());
    program.line();
    program.line();
    let at_last = peak_memory(program.id());
    assert!(at_last < 200 << 10, "{at_last} KiB in all");
}

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

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
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
