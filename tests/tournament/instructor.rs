//! Features for instructors: lists of players and folders of submissions, the check before the
//! first game, time to start, CSV files, `tournament show`.

use std::fs;

use std::process::Command;

use super::{Place, errors, fake, last_line};
use crate::place::players_of;
use crate::program::{
    SANTORINI, Signal, santorini_in, signal, stdout, success, wait_until, write_program,
};

/// The words of the line of a table that begins with this one.
fn row(text: &str, first: &str) -> Vec<String> {
    let mut lines = text.lines().map(|line| line.split_whitespace());
    let row = lines.find(|words| words.clone().next() == Some(first));
    let row = row.unwrap_or_else(|| panic!("{first}: {text}"));
    row.map(String::from).collect()
}

#[test]
fn a_list_of_players_is_checked_played_and_written_as_csv() {
    let place = Place::new();
    let list = format!(
        "# course 2\n\nada={SANTORINI} fake-player random\n\
         bo={SANTORINI} fake-player random --seed 2 --wins\n"
    );
    fs::write(place.path("list.txt"), list).unwrap();
    let words =
        "--players list.txt --rounds 8 --cards Pan Atlas --reuse --output g.jsonl --csv t.csv";
    let output = place.run(words, &[fake("cy", "illegal --after 3")]);
    // It was checked, too: its first two answers are legal.
    let said = errors(&output);
    for name in ["ada", "bo", "cy"] {
        let row = row(&said, name);
        let seconds = row.iter().filter(|word| *word == "s").count();
        assert_eq!(seconds, 4, "{said}");
    }
    let csv = fs::read_to_string(place.path("t.csv")).unwrap();
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    assert_eq!(head[..3], ["name", "games", "won"]);
    let illegal = head
        .iter()
        .position(|&column| column == "illegal-board")
        .unwrap();
    let cy = lines.find(|fields| fields[0] == "cy").unwrap();
    let lost: u64 = cy[illegal].parse().unwrap();
    // Ten games lost by faults do not end the games of a course.
    assert!(lost > 20, "{csv}");
    assert!(output.status.success(), "{said}");
    // `tournament show` prints the same from the file: the table, the CSV and the faults.
    let words = "tournament show g.jsonl --faults --csv again.csv";
    let shown = santorini_in(place.folder(), words).output().unwrap();
    let again = success(&shown);
    assert!(again.starts_with(&stdout(&output)), "{again}");
    assert_eq!(again.matches("Bad move by cy: ").count() as u64, lost);
    assert_eq!(fs::read_to_string(place.path("again.csv")).unwrap(), csv);
    // The faults of one player.
    let of = |name: &str| santorini_in(place.folder(), &format!("merge g.jsonl --faults={name}"));
    let faults = |name: &str| {
        success(&of(name).output().unwrap())
            .matches("Bad move")
            .count()
    };
    assert_eq!([faults("cy") as u64, faults("ada") as u64], [lost, 0]);
    let unknown = errors(&of("dee --output new.jsonl").output().unwrap());
    assert!(
        unknown.contains("the players are cy, ada and bo"),
        "{unknown}"
    );
    assert!(!place.path("new.jsonl").exists());
}

#[test]
fn submissions_run_in_their_own_folders() {
    let place = Place::new();
    let folder = place.path("subs");
    fs::create_dir_all(folder.join("ada")).unwrap();
    let reading = |file: &str| {
        format!("#!/bin/sh\ncat {file} >&2 || exit 3\nexec {SANTORINI} fake-player random\n")
    };
    write_program(&folder.join("ada/player"), reading("weights"));
    fs::write(folder.join("ada/weights"), "").unwrap();
    write_program(&folder.join("bo"), reading("ada/weights"));
    let run = |words: &str| place.run(&format!("--players {words} --output g.jsonl"), &[]);
    for isolation in ["off", "processes", "full"] {
        let output = run(&format!(
            "subs --rounds 1 --time 20 --force --csv t.csv --isolate {isolation}"
        ));
        assert!(output.status.success(), "{}", errors(&output));
        assert!(place.games("g.jsonl").iter().all(|game| game.why.is_none()));
    }
    let csv = fs::read_to_string(place.path("t.csv")).unwrap();
    for command in ["ada=cd subs/ada && ./player", "bo=cd subs && ./bo"] {
        assert!(csv.contains(&format!(",{command}\n")), "{csv}");
    }
    // The games are resumed, also beside a folder that a player has made, and another version
    // of a program is noticed.
    fs::create_dir(folder.join("cache")).unwrap();
    let output = run("./subs --rounds 2 --time 20 --resume");
    let said = errors(&output);
    assert!(
        said.contains("subs: skipped cache: no player in it"),
        "{said}"
    );
    assert!(output.status.success() && !said.contains("newer"), "{said}");
    write_program(&folder.join("ada/player"), reading("lost"));
    let output = run("subs --rounds 3 --time 20 --resume");
    let said = errors(&output);
    let newer = "the program of ada, subs/ada/player, is newer than g.jsonl";
    assert!(said.contains(newer) && !said.contains("of bo,"), "{said}");
    let ran = folder.join("ada").canonicalize().unwrap();
    let ran = format!("it ran in the folder {}", ran.display());
    assert!(said.contains(&ran), "{said}");
    // A file that cannot be resumed is refused before the check of the players.
    let output = run("subs --rounds 3 --time 21 --resume");
    assert_eq!(output.status.code(), Some(2));
    let said = errors(&output);
    assert!(said.contains("time is 20.0 there and 21.0 here"), "{said}");
    assert!(!said.contains("checked"), "{said}");
}

#[test]
fn a_submission_that_changes_others_is_named() {
    let place = Place::new();
    fs::create_dir(place.path("subs")).unwrap();
    let player = format!("exec {SANTORINI} fake-player random\n");
    let write = |name: &str, first: &str| {
        write_program(
            &place.path("subs").join(name),
            format!("#!/bin/sh\n{first}{player}"),
        );
    };
    write("ada", "if [ -e cy ]; then echo >> bo; rm cy; fi\n");
    write("bo", "");
    write("cy", "");
    let words = "--players subs --keep-going --rounds 1 --time 20 --output g.jsonl";
    let said = errors(&place.run(words, &[]));
    for (file, what) in [("bo", "changed"), ("cy", "removed")] {
        let program = format!("subs/{file}, the program of {file}, was {what}");
        let told = format!("{program} after the start of the match; ada was running");
        assert!(said.contains(&told), "{told}: {said}");
    }
    fs::remove_file(place.path("subs/bo")).unwrap();
    let output = place.run(&format!("{words} --resume"), &[]);
    let said = errors(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    let there = "two players or more; the games in g.jsonl are of ada, bo and cy";
    assert!(said.contains(there), "{said}");
}

#[test]
fn an_interrupted_check_ends_with_the_command() {
    let place = Place::new();
    let child = place
        .tournament(
            "--check --rounds 1",
            &[fake("a", "random"), "b=sleep 100".into()],
        )
        .spawn()
        .unwrap();
    let id = child.id();
    wait_until("the players", || !players_of(id).is_empty());
    signal(id, Signal::SIGTERM);
    let output = child.wait_with_output().unwrap();
    let said = errors(&output);
    assert!(said.contains("interrupted during the check"), "{said}");
    let command = last_line(&output);
    assert!(command.ends_with("b=sleep 100'"), "{command}");
}

#[test]
fn no_submission_is_imported_by_another() {
    let is_new = "import sys; sys.exit(sys.version_info < (3, 11))";
    let python = Command::new("python3").args(["-c", is_new]).status();
    if !python.is_ok_and(|status| status.success()) {
        return;
    }
    let place = Place::new();
    fs::create_dir(place.path("subs")).unwrap();
    let script = |first: &str| {
        format!("{first}\nimport os\nos.execv('{SANTORINI}', ['p', 'fake-player', 'random'])\n")
    };
    fs::write(place.path("subs/ada.py"), script("import json")).unwrap();
    let evil = "print(__name__, file=open('names.txt', 'a'))";
    fs::write(place.path("subs/json.py"), script(evil)).unwrap();
    let output = place.run("--players subs --rounds 1 --time 20 --output g.jsonl", &[]);
    assert!(output.status.success(), "{}", errors(&output));
    let names = fs::read_to_string(place.path("subs/names.txt")).unwrap();
    assert!(names.lines().all(|name| name == "__main__"), "{names}");
}

#[test]
fn with_openings_a_second_answer_is_checked() {
    let place = Place::new();
    let answer = format!("read q && echo \"$q\" | {SANTORINI} fake-player random");
    write_program(&place.path("once"), format!("#!/bin/sh\n{answer}\n"));
    let chatty = format!("#!/bin/sh\nwhile {answer}; do echo done; done\n");
    write_program(&place.path("chatty"), chatty);
    let players = [
        "once=./once".into(),
        "chatty=./chatty".into(),
        fake("good", "random"),
    ];
    let words = "--check --openings 2 --rounds 1 --time 20 --output g.jsonl";
    let said = errors(&place.run(words, &players));
    assert!(said.contains("2 of 3 players failed the check"), "{said}");
    assert_eq!(row(&said, "good")[1], "-", "{said}");
}

#[test]
fn a_player_that_fails_the_check_prevents_the_games() {
    let place = Place::new();
    let folder = place.path("subs");
    fs::create_dir_all(folder.join("ada")).unwrap();
    let good = format!("#!/bin/sh\nexec {SANTORINI} fake-player random\n");
    write_program(&folder.join("ada/player"), &good);
    // It cannot be the second player.
    let bad = "#!/bin/sh\nread q\ncase $q in '[]') echo '[[[1,1],[1,2]]]';; esac\nread q\n\
               echo sorry >&2\nexit 3\n";
    write_program(&folder.join("bo"), bad);
    fs::write(folder.join("notes.txt"), "bo was late\n").unwrap();
    let words = "--players subs --rounds 1 --time 5 --output g.jsonl";
    let output = place.run(words, &[]);
    assert_eq!(output.status.code(), Some(1));
    let said = errors(&output);
    let row = row(&said, "bo");
    assert_eq!(row[3..], ["FAILS", "FAILS", "-"], "{said}");
    assert!(
        said.contains("bo exited without an answer: exit code 3"),
        "{said}"
    );
    assert!(said.contains("standard error   sorry"), "{said}");
    assert!(said.contains("subs: skipped notes.txt: not exec"), "{said}");
    assert!(
        said.contains("1 of 2 players failed the check; no game was played"),
        "{said}"
    );
    assert!(!place.path("g.jsonl").exists());
    // Scripts get the reason, too.
    let output = place.run(&format!("{words} --json"), &[]);
    let json: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let [ada, bo] = [&json["checks"][0], &json["checks"][1]];
    assert_eq!(
        (&ada["name"], &ada["passed"]),
        (&"ada".into(), &true.into())
    );
    assert_eq!((&bo["name"], &bo["passed"]), (&"bo".into(), &false.into()));
    let fault = bo["faults"][0].as_str().unwrap();
    assert!(fault.contains("standard error   sorry"), "{json}");
    // A folder without a player, and one with two.
    fs::create_dir(folder.join("eve")).unwrap();
    fs::write(folder.join("ada/player.py"), "").unwrap();
    let output = place.run(words, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("no player in eve"));
    let output = place.run(&format!("{words} --keep-going"), &[]);
    let said = errors(&output);
    assert!(output.status.success(), "{said}");
    for skipped in [
        "subs: skipped eve: no player in it",
        "subs: skipped ada/player.py: ada/player runs",
    ] {
        assert!(said.contains(skipped), "{said}");
    }
    assert_eq!(place.games("g.jsonl").len(), 2);
    let output = place.run(&format!("{words} --resume"), &[]);
    assert!(errors(&output).contains("no more games were played"));
    assert!(last_line(&output).ends_with(&format!("tournament {words} --resume")));
    // A program that is missing is found, too.
    let missing = ["a=./nowhere", "b=cd subs && ./here", "c=cd away && ./c"].map(String::from);
    let output = place.run("--check --rounds 1 --output h.jsonl", &missing);
    let said = errors(&output);
    for why in [
        "cannot start a: ./nowhere does not exist",
        "cannot start b: subs/here does not exist",
        "cannot start c: there is no folder away",
    ] {
        assert!(said.contains(why), "{said}");
    }
    assert!(!place.path("h.jsonl").exists());
}

#[test]
fn wrong_lists_and_files_are_refused_before_the_games() {
    let place = Place::new();
    let write = |name: &str, text: &str| fs::write(place.path(name), text).unwrap();
    write("broken", "a=./a\nb ./b\n");
    write("twice", "a=./a\n# and\na=./b\n");
    write("empty", "# none\n");
    write("one", "a=./a\n");
    write("notes.csv", "student,mark\nAda,1.0\n");
    for folder in ["subs/ada", "subs/bo"] {
        fs::create_dir_all(place.path(folder)).unwrap();
    }
    for (words, said) in [
        (
            "--players broken",
            "broken: line 2: expected NAME=COMMAND, found \"b ./b\"",
        ),
        (
            "--players twice",
            "twice: line 3: the name a is already on line 1",
        ),
        ("--players empty", "empty: no player: it has no line"),
        ("--players one", "a tournament needs two players or more"),
        ("--players nowhere", "nowhere: No such file"),
        ("--players 'no\nwhere'", "no\\nwhere: No such file"),
        (
            "--players subs",
            "subs: no player in ada and bo: a folder needs one",
        ),
    ] {
        let output = place.run(&format!("{words} --output g.jsonl"), &[]);
        assert!(!output.status.success(), "{words}");
        assert!(
            errors(&output).contains(said),
            "{words}: {}",
            errors(&output)
        );
    }
    let players = [fake("a", "random"), fake("b", "random --seed 2")];
    let output = place.run("--rounds 1 --output g.jsonl --csv notes.csv", &players);
    assert_eq!(output.status.code(), Some(2));
    let said = errors(&output);
    assert!(
        said.contains("notes.csv exists and is not a CSV file of a tournament"),
        "{said}"
    );
    assert!(!place.path("g.jsonl").exists());
    // A full disk loses neither the games nor the table.
    let output = place.run("--rounds 1 --output g.jsonl --csv /dev/full", &players);
    assert_eq!(output.status.code(), Some(1));
    let said = errors(&output);
    assert!(
        said.contains("/dev/full: No space left on device"),
        "{said}"
    );
    assert!(said.contains("the games are in g.jsonl"), "{said}");
    assert!(stdout(&output).starts_with("2 of 2 games"), "{output:?}");
    assert_eq!(place.games("g.jsonl").len(), 2);
}

#[test]
fn the_first_answer_may_have_more_time() {
    let place = Place::new();
    let slow = format!("slow=sh -c 'sleep 3; exec {SANTORINI} fake-player random'");
    let players = [slow, fake("b", "random")];
    let output = place.run("--rounds 1 --time 0.3 --output a.jsonl", &players);
    let said = errors(&output);
    assert!(
        said.contains("it was the first answer: starting counts, too"),
        "{said}"
    );
    let words = "--rounds 1 --time 0.3 --output b.jsonl --start-time";
    let output = place.run(&format!("{words} 60"), &players);
    assert!(output.status.success(), "{}", errors(&output));
    let games = place.games("b.jsonl");
    assert!(games.iter().all(|game| game.why.is_none()), "{games:?}");
    let output = place.run(&format!("{words} 50 --resume"), &players);
    let said = errors(&output);
    assert!(
        said.contains("start_time is 60.0 there and 50.0 here"),
        "{said}"
    );
}
