//! The usual first failures of a student's player, each with the message that says what to
//! change: in the game, in the record of a tournament, and on its report.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::installed::installed;
use crate::program::{SANTORINI, santorini, write_program};

/// Legal answers of a player that places and builds near the top left corner.
const PLACED: &str = "[[[1,1],[1,2]]]";

/// A player in Python: these lines, with the question in `q` after `ask()`.
fn python(lines: &str) -> String {
    format!("import json, sys, time\ndef ask(): return json.loads(sys.stdin.readline())\n{lines}\n")
}

/// A first failure: the source of the player, and words of the message.
struct Failure {
    player: String,
    says: &'static [&'static str],
}

const REMARKS: &str = "only answers may go to standard output; print remarks to standard error";

/// Words of messages after a time-out.
const LATE: [&str; 3] = ["flush its output", "more input", "starting counts"];

fn failures() -> Vec<Failure> {
    let answer = format!("print('{PLACED}', flush=True)");
    let table: Vec<(String, &[&str])> = vec![
        // No flush, reading to the end, reading more than the question, slow to start.
        (
            format!("for line in sys.stdin: sys.stdout.write('{PLACED}\\n')"),
            &[
                "came just after its input was closed: unless it is only too slow, it must flush its output",
            ],
        ),
        (
            format!("sys.stdin.read(); {answer}"),
            &["it must flush its output after each answer, and not wait for the end of the input"],
        ),
        (
            format!("ask(); input(); {answer}"),
            &["it was waiting for more input than the question"],
        ),
        (
            format!("time.sleep(9); ask(); {answer}"),
            &["it was the first answer: starting counts, too"],
        ),
        (
            format!("ask(); {answer}"),
            &["exit code 0; a player answers one question after another until its input ends"],
        ),
        (
            "ask(); print(undefined)".into(),
            &[
                "exit code 1",
                "standard error   NameError: name 'undefined' is not defined",
            ],
        ),
        // Other output.
        (format!("ask(); print('thinking...'); {answer}"), &[REMARKS]),
        (
            format!("ask(); {answer}; print('done', flush=True); ask()"),
            &[REMARKS],
        ),
        (
            format!("ask(); print('[info] depth 3'); {answer}"),
            &[REMARKS],
        ),
        (
            format!("ask(); print('{PLACED}\\n{PLACED}', flush=True); ask()"),
            &["it wrote more than its answer; a question gets exactly one answer"],
        ),
        (
            format!("{answer}; time.sleep(9)"),
            &["before the first question; read a question first, then answer it"],
        ),
        (
            "ask(); print(None, flush=True)".into(),
            &["Python prints None for a missing value"],
        ),
        // Other forms of JSON.
        (
            "ask(); print([[[2.0, 3.0], [4, 3]]], flush=True); ask()".into(),
            &["write 2, not 2.0"],
        ),
        (
            "ask(); print(json.dumps([[['2', '3'], ['4', '3']]]), flush=True); ask()".into(),
            &["write 2, not \"2\""],
        ),
        (
            "ask(); print([[[0, 0], [1, 1]]], flush=True); ask()".into(),
            &["each from 1 (not 0) to 5, found [0,0]"],
        ),
        (
            "ask(); print([[2, 3, 4, 3]], flush=True); ask()".into(),
            &[
                "the answer to [] has the form [[[row,column],[row,column]]], with all brackets; found [[2,3,4,3]]",
            ],
        ),
        (
            "ask(); print([[2, 3], [4, 3]], flush=True); ask()".into(),
            &[
                "the answer to [] has the form [[[row,column],[row,column]]], with all brackets; found [[2,3],[4,3]]",
            ],
        ),
        (
            "ask(); print(({'card': 'Pan'},), flush=True)".into(),
            &["JSON has [ ] where Python has ( ); use json.dumps"],
        ),
        (
            "ask(); print({'players': []}, flush=True)".into(),
            &["JSON has double quotes only; in Python use json.dumps"],
        ),
        (
            "ask(); print(json.dumps(json.dumps([[[1, 1], [1, 2]]])), flush=True)".into(),
            &["the string holds JSON: encode the answer once, not twice"],
        ),
        // Other encodings.
        (
            format!(
                "ask(); sys.stdout.buffer.write('{PLACED}'.encode('utf-16')); sys.stdout.flush()"
            ),
            &["the output is UTF-16; write UTF-8"],
        ),
        (
            format!(
                "ask(); sys.stdout.buffer.write('\\n\\ufeff{PLACED}'.encode()); sys.stdout.flush()"
            ),
            &["this is a byte order mark; write UTF-8 without it"],
        ),
        (
            format!("ask(); print('\\033[1m{PLACED}', flush=True)"),
            &["codes for a terminal, as for colours; write plain text"],
        ),
    ];
    table
        .into_iter()
        .map(|(lines, says)| Failure {
            player: python(&lines),
            says,
        })
        .collect()
}

/// What a finished program wrote to standard error.
fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn referee(folder: &Path, options: &[&str], player: &str) -> String {
    play(
        folder,
        options,
        [player, &format!("{SANTORINI} fake-player random")],
    )
}

fn play(folder: &Path, options: &[&str], players: [&str; 2]) -> String {
    let mut command = santorini(&["referee"]);
    command.args(options).current_dir(folder);
    // It would flush for the player.
    command.env_remove("PYTHONUNBUFFERED");
    command.args(players);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{players:?}: {}", errors(&output));
    errors(&output)
}

#[test]
fn first_failures_of_students_are_explained() {
    if installed(&["python3"]).is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (number, Failure { player, says }) in failures().iter().enumerate() {
        let file = format!("p{number}.py");
        fs::write(folder.path().join(&file), player).unwrap();
        // Players that answer need the time to start on a busy machine.
        let is_late = says
            .iter()
            .any(|words| LATE.iter().any(|late| words.contains(late)));
        let time = if is_late { "1" } else { "20" };
        let player = format!("python3 {file}");
        let said = match says[0].contains("before the first") {
            // The other player thinks while this one writes.
            true => {
                let other = format!("{SANTORINI} fake-player late --seconds 3");
                play(folder.path(), &["--time", "20"], [&other, &player])
            }
            false => referee(folder.path(), &["--time", time], &player),
        };
        for words in *says {
            assert!(said.contains(words), "{player}\n{words}\n{said}");
        }
    }
}

#[test]
fn a_level_above_a_dome_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let answer = r#"{"players":[[[5,1],[5,5]],[[1,2],[1,4]]],"turn":1,"spaces":[[5,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0]]}"#;
    let script = format!("#!/bin/sh\nread x\necho '{answer}'\nread x\n");
    write_program(&folder.path().join("p"), script);
    let start = "40000/00000/00000/00000/00000 b2d1 a5e5 0";
    let said = referee(folder.path(), &["--start", start], "./p");
    let words = "found 5; a dome (level 4) cannot be built on";
    assert!(said.contains(words), "{said}");
}

#[test]
fn commands_that_cannot_start_say_what_would() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("bot")).unwrap();
    fs::write(path("p.py"), "pass\n").unwrap();
    fs::write(path("P.java"), "class P {}\n").unwrap();
    write_program(&path("w"), "#!/nowhere/sh\r\n");
    write_program(&path("q.js"), "1\n");
    write_program(&path("prog"), "#!/bin/sh\n");
    for (player, words) in [
        ("./bot", "./bot is a folder; give the program in it"),
        (
            "./p.py",
            "./p.py is not executable; run it as 'python3 ./p.py'",
        ),
        ("./P.java", "it is source code: compile it"),
        ("./q.js", "run it as 'node ./q.js'"),
        ("./w", "ends like on Windows (CR LF); end it with LF"),
        ("FOO=1 ./prog", "to set a variable use env NAME=1 ./prog"),
        ("FOO=1 BAR=2 ./prog", "use env NAME=1 BAR=2 ./prog"),
        ("me=FOO=1 ./prog", "to set a variable use env FOO=1 ./prog"),
        ("prog", "to run the file in this folder use ./prog"),
    ] {
        let said = referee(folder.path(), &[], player);
        assert!(said.contains(words), "{player}: {said}");
    }
}

/// The message at the end, the record and the report have the hint, and the player's
/// standard error.
#[test]
fn tournaments_and_reports_have_the_hints() {
    if installed(&["python3"]).is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let player = python(
        "ask(); print('so far so good', file=sys.stderr, flush=True)\n\
         print([[[2.0, 3], [4, 3]]], flush=True); ask()",
    );
    fs::write(folder.path().join("p.py"), player).unwrap();
    let mut command = santorini(&["tournament", "--rounds", "1", "--time", "5"]);
    command.args(["--output", "games.jsonl", "--html", "report.html"]);
    command.args([
        "A=python3 p.py",
        &format!("B={SANTORINI} fake-player random"),
    ]);
    let output = command.current_dir(&folder).output().unwrap();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    for text in [errors(&output), read("games.jsonl"), read("report.html")] {
        assert!(text.contains("write 2, not 2.0"), "{text}");
        assert!(text.contains("so far so good"), "{text}");
    }
}
