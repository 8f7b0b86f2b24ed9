//! Common first mistakes in a student's player, and the messages that say what to change: from
//! the referee, `rate` and its page, a tournament and its report, and the test script of a new
//! player.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

use crate::installed::installed;
use crate::program::{SANTORINI, errors, santorini_in, write_program};

/// A legal first placement, in the top left corner.
const PLACED: &str = "[[[1,1],[1,2]]]";

/// A player in Python: these lines, with the question in `q` after `ask()`.
fn python(lines: &str) -> String {
    format!(
        "import json, sys, time\n\
         print('so far so good', file=sys.stderr, flush=True)\n\
         def ask(): return json.loads(sys.stdin.readline())\n{lines}\n"
    )
}

/// A first failure: what the player does wrong, its source, and words of the message.
struct Failure {
    name: &'static str,
    player: String,
    says: &'static [&'static str],
}

const REMARKS: &str = "only answers may go to standard output; print remarks to standard error";

/// The failure that shows only against an opponent that takes a while to answer.
const EARLY: &str = "answers before the question";

/// Words of messages after a time-out.
const LATE: [&str; 6] = [
    "closing bracket is missing",
    "closed its standard input",
    "flush its output",
    "end of the input",
    "more input",
    "starting counts",
];

impl Failure {
    /// The time for an answer. Players that answer need the time to start on a busy
    /// machine.
    fn time(&self) -> &'static str {
        match self.is_late() {
            true => "4",
            false => "20",
        }
    }

    /// Whether its explanation depends on what happens after the time limit.
    fn is_late(&self) -> bool {
        let is_late = |words: &&str| LATE.iter().any(|late| words.contains(late));
        self.says.iter().any(is_late)
    }

    fn opponent(&self) -> String {
        match self.name {
            EARLY => format!("{SANTORINI} fake-player late --seconds 3"),
            _ => format!("{SANTORINI} fake-player random"),
        }
    }

    /// Checks that a text has the message and the player's standard error.
    fn assert_in(&self, place: &str, text: &str) {
        let name = self.name;
        for words in self.says {
            assert!(text.contains(words), "{place}: {name}: {words}\n{text}");
        }
        assert!(text.contains("so far so good"), "{place}: {name}\n{text}");
    }
}

fn failures() -> Vec<Failure> {
    let answer = format!("print('{PLACED}', flush=True)");
    let table: Vec<(&'static str, String, &[&str])> = vec![
        // No flush, reading to the end, reading more than the question, slow to start.
        (
            "does not flush",
            format!("for line in sys.stdin: sys.stdout.write('{PLACED}\\n')"),
            &[
                "came just after its input was closed: unless it is only too slow, it must flush its output",
            ],
        ),
        (
            "reads its input to the end",
            format!("sys.stdin.read(); {answer}"),
            &["and not wait for the end of the input; print(text, flush=True) flushes in Python"],
        ),
        (
            "reads more than the question",
            format!("ask(); input(); {answer}"),
            &["it was waiting for more input than the question"],
        ),
        (
            "starts slowly",
            format!("time.sleep(9); ask(); {answer}"),
            &["it was the first answer: starting counts, too"],
        ),
        (
            "answers once and ends",
            format!("ask(); {answer}"),
            &["exit code 0; a player answers one question after another until its input ends"],
        ),
        (
            "crashes",
            "ask(); print(undefined)".into(),
            &[
                "exit code 1",
                "standard error   NameError: name 'undefined' is not defined",
            ],
        ),
        // Other output.
        (
            "prints a remark before the answer",
            format!("ask(); print('thinking...'); {answer}"),
            &[REMARKS],
        ),
        (
            "prints a remark after the answer",
            format!("ask(); {answer}; print('done', flush=True); ask()"),
            &[REMARKS],
        ),
        (
            "prints a remark in brackets",
            format!("ask(); print('[info] depth 3'); {answer}"),
            &[REMARKS],
        ),
        (
            "answers twice",
            format!("ask(); print('{PLACED}\\n{PLACED}', flush=True); ask()"),
            &[
                "is not one JSON array or object: it sent its previous answer again; a question gets exactly one answer",
            ],
        ),
        (
            "prints the question before the answer",
            format!("print(ask()); {answer}; ask()"),
            &["it wrote more than one value; ", REMARKS],
        ),
        (
            "writes a bracket too many",
            format!("ask(); print('{PLACED}]', flush=True); ask()"),
            &[
                "it wrote more than its answer; after its answer it wrote a closing bracket too many",
            ],
        ),
        (
            "lacks a bracket",
            "ask(); print('[[[1,1],[1,2]]', flush=True); ask()".into(),
            &["s; a closing bracket is missing"],
        ),
        (
            "closes its input",
            "import os; ask(); os.close(0); time.sleep(99)".into(),
            &["s; it closed its standard input"],
        ),
        (
            "answers before the question",
            format!("{answer}; time.sleep(9)"),
            &["before the first question; read a question first, then answer it"],
        ),
        (
            "prints None",
            "ask(); print(None, flush=True)".into(),
            &["Python prints None for a missing value"],
        ),
        (
            "prints null",
            "ask(); print('null', flush=True)".into(),
            &[
                "is not one JSON array or object: column 1: expected an array or an object, found null",
            ],
        ),
        // Other forms of JSON.
        (
            "numbers with a point",
            "ask(); print([[[2.0, 3.0], [4, 3]]], flush=True); ask()".into(),
            &["found [2.0,3.0]; write 2, without a sign, a point or an exponent"],
        ),
        (
            "numbers in quotes",
            "ask(); print(json.dumps([[['2', '3'], ['4', '3']]]), flush=True); ask()".into(),
            &["write 2, not \"2\""],
        ),
        (
            "counts from 0",
            "ask(); print([[[0, 0], [1, 1]]], flush=True); ask()".into(),
            &["each from 1 (not 0) to 5, found [0,0]"],
        ),
        (
            "a flat placement",
            "ask(); print([[2, 3, 4, 3]], flush=True); ask()".into(),
            &[
                "the answer to [] has the form [[[row,column],[row,column]]], with all brackets; found [[2,3,4,3]]",
            ],
        ),
        (
            "a placement without the outer brackets",
            "ask(); print([[2, 3], [4, 3]], flush=True); ask()".into(),
            &[
                "the answer to [] has the form [[[row,column],[row,column]]], with all brackets; found [[2,3],[4,3]]",
            ],
        ),
        (
            "a tuple instead of a list",
            "ask(); print(({'card': 'Pan'},), flush=True)".into(),
            &["JSON has [ ] where Python has ( ); use json.dumps"],
        ),
        (
            "single quotes",
            "ask(); print({'players': []}, flush=True)".into(),
            &["JSON has double quotes only; in Python use json.dumps"],
        ),
        (
            "encodes JSON twice",
            "ask(); print(json.dumps(json.dumps([[[1, 1], [1, 2]]])), flush=True)".into(),
            &["the string holds JSON: encode the answer once, not twice"],
        ),
        // Other encodings.
        (
            "UTF-16",
            format!(
                "ask(); sys.stdout.buffer.write('{PLACED}'.encode('utf-16')); sys.stdout.flush()"
            ),
            &["this is UTF-16; write UTF-8"],
        ),
        (
            "a byte order mark",
            format!(
                "ask(); sys.stdout.buffer.write('\\n\\ufeff{PLACED}'.encode()); sys.stdout.flush()"
            ),
            &["this is a byte order mark; write UTF-8 without it"],
        ),
        (
            "colour codes",
            format!("ask(); print('\\033[1m{PLACED}', flush=True)"),
            &["terminal control codes, such as colours; write plain text"],
        ),
    ];
    table
        .into_iter()
        .map(|(name, lines, says)| Failure {
            name,
            player: python(&lines),
            says,
        })
        .collect()
}

/// A command of the program in this folder.
fn command(folder: &Path, words: &str) -> Command {
    let mut command = santorini_in(folder, words);
    // It would flush for the player.
    command.env_remove("PYTHONUNBUFFERED");
    command
}

fn referee(folder: &Path, options: &[&str], player: &str) -> String {
    let opponent = format!("{SANTORINI} fake-player random");
    play(folder, options, [player, &opponent])
}

fn play(folder: &Path, options: &[&str], players: [&str; 2]) -> String {
    let mut command = command(folder, "referee");
    let output = command.args(options).args(players).output().unwrap();
    assert!(output.status.success(), "{players:?}: {}", errors(&output));
    errors(&output)
}

/// Runs the work for each failure in a folder with its player, several at a time.
fn for_each_failure(work: impl Fn(&Path, &Failure) + Sync) {
    if installed(&["python3"]).is_none() {
        return;
    }
    let failures = failures();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(failure) = failures.get(next.fetch_add(1, Relaxed)) {
            let attempt = || {
                let folder = tempfile::tempdir().unwrap();
                fs::write(folder.path().join("player.py"), &failure.player).unwrap();
                work(folder.path(), failure);
            };
            // How a player reacts within 0.2 s of the time limit explains its failure. On a
            // busy machine some take longer, and the explanation is another one.
            let retries = if failure.is_late() { 9 } else { 0 };
            let explained = (0..retries).any(|_| catch_unwind(AssertUnwindSafe(attempt)).is_ok());
            if !explained {
                attempt();
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(work);
        }
    });
}

/// Most of them wait for a time limit or for Python.
const AT_A_TIME: usize = 4;

/// The command of the player.
const PLAYER: &str = "python3 player.py";

/// With --nocapture it prints a table of the failures and their messages.
#[test]
fn the_referee_explains_first_failures() {
    for_each_failure(|folder, failure| {
        let opponent = failure.opponent();
        let players = match failure.name {
            EARLY => [&*opponent, PLAYER],
            _ => [PLAYER, &opponent],
        };
        let said = play(folder, &["--time", failure.time()], players);
        failure.assert_in("referee", &said);
        let message = said.lines().find(|line| line.contains(failure.says[0]));
        let message = message.unwrap_or(failure.says[0]).replace(PLAYER, "NAME");
        println!("{:38} {}", failure.name, message.trim());
    });
}

/// The rating and its page.
#[test]
fn a_rating_explains_first_failures() {
    for_each_failure(|folder, failure| {
        // No opponent thinks when the player is asked to place its workers.
        if failure.name == EARLY {
            return;
        }
        let words = format!("rate --html rating.html --time {}", failure.time());
        let output = command(folder, &words).arg(PLAYER).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", failure.name);
        failure.assert_in("rate", &errors(&output));
        let page = fs::read_to_string(folder.join("rating.html")).unwrap();
        failure.assert_in("rating page", &plain(&page));
    });
}

/// The report and the records.
#[test]
fn a_tournament_explains_first_failures() {
    for_each_failure(|folder, failure| {
        // As the first player it places its workers in time.
        if failure.name == EARLY {
            return;
        }
        let words = "tournament --rounds 1 --output games.jsonl --html report.html --time";
        let words = format!("{words} {}", failure.time());
        let mut command = command(folder, &words);
        command.arg(PLAYER).arg(failure.opponent());
        let output = command.output().unwrap();
        let page = fs::read_to_string(folder.join("report.html")).unwrap();
        failure.assert_in("report", &plain(&page));
        failure.assert_in("tournament", &errors(&output));
    });
}

#[test]
fn the_test_script_explains_first_failures() {
    for_each_failure(|folder, failure| {
        if failure.name == EARLY {
            return;
        }
        let words = "new-bot python . --force";
        assert!(command(folder, words).status().unwrap().success());
        fs::write(folder.join("player.py"), &failure.player).unwrap();
        let script = fs::read_to_string(folder.join("test.sh")).unwrap();
        assert!(script.contains("--time 10 "));
        let script = script.replace("--time 10 ", &format!("--time {} ", failure.time()));
        let mut test = Command::new("sh");
        test.args(["-c", &script, "./test.sh"]).current_dir(folder);
        let output = test.env_remove("PYTHONUNBUFFERED").output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", failure.name);
        failure.assert_in("test.sh", &errors(&output));
    });
}

/// The text of a page, with its characters as written by the program.
fn plain(page: &str) -> String {
    [
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&amp;", "&"),
    ]
    .into_iter()
    .fold(page.to_string(), |text, (escaped, plain)| {
        text.replace(escaped, plain)
    })
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
fn commands_that_cannot_start_suggest_a_correction() {
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
        ("FOO=1 ./prog", "to set a variable use env FOO=1 ./prog"),
        ("FOO=1 BAR=2 ./prog", "use env FOO=1 BAR=2 ./prog"),
        ("me=FOO=1 ./prog", "to set a variable use env FOO=1 ./prog"),
        ("~/prog 1", "write the whole path, without ~ or $"),
        ("me=$HOME/prog", "write the whole path, without ~ or $"),
        (
            "cd bot; ./prog",
            "to run it in a folder use 'cd DIR && COMMAND'",
        ),
        ("prog", "to run the file in this folder use ./prog"),
    ] {
        let said = referee(folder.path(), &[], player);
        assert!(said.contains(words), "{player}: {said}");
        println!("{player:38} {}", said.lines().next().unwrap_or_default());
        let rated = command(folder.path(), "rate --html rating.html")
            .arg(player)
            .output();
        assert!(errors(&rated.unwrap()).contains(words), "rate: {player}");
        let page = fs::read_to_string(path("rating.html")).unwrap();
        assert!(plain(&page).contains(words), "{player}: {page}");
    }
}
