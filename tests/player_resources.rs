//! The time and memory of the player program.

use serde_json::{Value, json};

use crate::player::{assert_legal, changed, example, example_with_cards, run};
#[cfg(target_os = "linux")]
use crate::program::memory;
use crate::program::{Program, player, santorini};

/// The workers are placed, and nobody has moved yet.
fn start_board() -> Value {
    json!({
        "players": [[[2, 2], [4, 4]], [[2, 4], [4, 2]]],
        "spaces": ([[0; 5]; 5]),
        "turn": 0
    })
}

#[cfg(target_os = "linux")]
#[test]
fn pondering_searches_in_the_opponents_time() {
    use crate::program::wait_until;
    use std::thread::sleep;
    use std::time::Duration;

    let board = start_board();
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
    let mut before = processor_ticks(idle.id());
    wait_until("the end of its search", || {
        sleep(Duration::from_millis(100));
        let last = std::mem::replace(&mut before, processor_ticks(idle.id()));
        last == before
    });
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
    let board = start_board();
    let mut command = player("3600");
    command.args("player --nodes 5000 --threads 1".split(' '));
    let ended = run(command, format!("{board}{board}").as_bytes());
    assert_eq!((ended.code, ended.output.len()), (Some(0), 2));
    assert_legal(&board, &ended.output[0]);
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded_and_allocated_on_use() {
    let mut program = Program::start(player("1"));
    program.send(example().to_string().as_bytes());
    program.line();
    let peak = |program: &Program| memory(program.id(), "VmHWM:").unwrap();
    let at_first = peak(&program);
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
    let at_last = peak(&program);
    assert!(at_last < 200 << 10, "{at_last} KiB in all");
}
