//! `santorini tune` on the command line, and players with tuned parameters.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use santorini::search::Params;

use crate::program::{Signal, errors, run, santorini, santorini_in, signal, success, wait_until};

const OPTIONS: &str = "--nodes 90 --eval tuned --seed 3";

fn tune(more: &str, out: &Path) -> Output {
    let words = OPTIONS.split(' ').chain(more.split_whitespace());
    let mut arguments = vec!["tune", "--out", out.to_str().unwrap()];
    arguments.extend(words);
    run(&arguments, "")
}

fn tuned(more: &str, out: &Path) -> String {
    let output = tune(more, out);
    assert!(output.stderr.is_empty(), "{output:?}");
    success(&output)
}

/// The last line of standard error of a command that is refused.
fn refused(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = errors(output);
    text.lines().last().unwrap_or_default().to_string()
}

#[test]
fn numbers_do_not_depend_on_threads_or_interruptions() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, parts] = ["whole.txt", "parts.txt"].map(|name| folder.path().join(name));
    let outcome = tuned("--pairs 70 --threads 1", &whole);
    tuned("--pairs 32 --threads 3", &parts);
    let state = fs::read_to_string(&parts).unwrap();
    assert!(state.contains("\npairs 32\n"), "{state}");
    assert_eq!(tuned("--pairs 70 --threads 2", &parts), outcome);
    let text = fs::read_to_string(&whole).unwrap();
    assert_eq!(fs::read_to_string(&parts).unwrap(), text);
    assert_ne!(text, state);
    // With nothing left to do, it prints the same again.
    assert_eq!(tuned("--pairs 70", &parts), outcome);
    let fewer = tune("--pairs 32", &parts);
    assert_eq!(success(&fewer), outcome);
    assert!(errors(&fewer).contains("has 70 pairs already, more than --pairs 32"));
    let table = outcome.split("\n\n").next().unwrap();
    let widths: BTreeSet<usize> = table.lines().map(str::len).collect();
    assert_eq!(widths.len(), 1, "{table}");

    assert_eq!(outcome.matches("aspiration_window").count(), 2, "{outcome}");
    assert!(outcome.contains("    climb_value = "), "{outcome}");
    assert!(outcome.contains(", step 1.5, 1 to 12;\n"), "{outcome}");
}

#[test]
fn some_numbers_are_tuned_alone_and_with_cards() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("params.txt");
    let only = "--cards --only late_move_pruning_base,climb_value";
    let outcome = tuned(&format!("{only} --pairs 2"), &out);
    let text = fs::read_to_string(&out).unwrap();
    let names: Vec<&str> = (text.lines())
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split(' ').next())
        .collect();
    assert_eq!(
        names,
        ["pairs", "run", "late_move_pruning_base", "climb_value"]
    );
    // Tuning starts with the built-in values for games with cards.
    let before = outcome.split_whitespace().nth(3);
    assert_eq!(before, Some("7"), "{outcome}");
    assert!(
        outcome.contains("        late_move_pruning_base: "),
        "{outcome}"
    );
    assert!(!outcome.contains("history"), "{outcome}");
    // Other options would be a different tuning.
    for other in ["--pairs 4", "--cards --pairs 4"] {
        assert!(refused(&tune(other, &out)).contains("started with `--nodes 90 "));
    }
    assert_eq!(fs::read_to_string(&out).unwrap(), text);
}

#[test]
fn parameters_of_the_base_game_are_not_tuned_with_cards() {
    let folder = tempfile::tempdir().unwrap();
    let text = |options: &str, name: &str| {
        let out = folder.path().join(name);
        tuned(options, &out);
        fs::read_to_string(&out).unwrap()
    };
    let [base, cards] = [
        text("--pairs 2", "base.txt"),
        text("--cards --pairs 2", "cards.txt"),
    ];
    for name in ["threats_ahead ", "threat_value "] {
        assert!(base.contains(name) && !cards.contains(name), "{name}");
    }
    for name in ["climb_value ", "singular_depth ", "turn_weight "] {
        assert!(cards.contains(name), "{name}");
    }
}

#[test]
fn an_interrupted_tuning_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("params.txt");
    let child = santorini(&["tune", "--pairs", "1000000", "--out", out.to_str().unwrap()])
        .args(OPTIONS.split(' '))
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pairs = || {
        let text = fs::read_to_string(&out).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("pairs "));
        line.map_or(0, |pairs| pairs.parse::<u64>().unwrap())
    };
    wait_until("the first pairs", || pairs() > 0);
    signal(child.id(), Signal::SIGINT);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let told = errors(&output);
    let done = pairs();
    assert!(
        told.contains(&format!("interrupted after {done} of 1000000 pairs")),
        "{told}"
    );
    tuned(&format!("--pairs {}", done + 1), &out);
    assert_eq!(pairs(), done + 1);
}

#[test]
fn players_take_the_numbers_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("params.txt");
    let path = file.to_str().unwrap();
    let nodes_on = |players: &str, params: &[&str]| {
        let spaces = "[[0,0,0,0,0],[0,0,0,0,0],[0,0,1,0,0],[0,0,0,0,0],[0,0,0,0,0]]";
        let board = format!(r#"{{"players":{players},"spaces":{spaces},"turn":1}}"#);
        let analyze = [
            "analyze",
            "--depth",
            "4",
            "--threads",
            "1",
            "--eval",
            "tuned",
        ];
        let output = run(&[&analyze, params].concat(), &board);
        let text = success(&output);
        let words: Vec<&str> = text.split_whitespace().collect();
        // The nodes of the last depth.
        let place = words.iter().rposition(|word| word.starts_with("nodes"));
        words[place.expect("the nodes are told") - 1].to_string()
    };
    let nodes = |params: &[&str]| nodes_on("[[[2,3],[4,3]],[[2,4],[4,4]]]", params);
    let nodes_with_cards = |params: &[&str]| {
        let cards =
            r#"[{"card":"Pan","tokens":[[2,3],[4,3]]},{"card":"Atlas","tokens":[[2,4],[4,4]]}]"#;
        nodes_on(cards, params)
    };
    fs::write(&file, "reduction_base 200\nclimb_value 0\n").unwrap();
    assert_ne!(nodes(&["--params", path]), nodes(&[]));
    assert_ne!(nodes_with_cards(&["--params", path]), nodes_with_cards(&[]));
    // Parameters missing from the file keep the built-in value for each kind of game.
    fs::write(
        &file,
        format!("climb_value {}\n", Params::DEFAULT.climb_value),
    )
    .unwrap();
    assert_eq!(nodes(&["--params", path]), nodes(&[]));
    assert_eq!(nodes_with_cards(&["--params", path]), nodes_with_cards(&[]));
    let board = run(&["player", "--time", "0.1", "--params", path], "[]");
    assert!(
        board.status.success() && !board.stdout.is_empty(),
        "{board:?}"
    );
    for (text, told) in [
        (
            "climb_value 90000\n",
            "climb_value must be a number from 0 to 8000, not \"90000\"",
        ),
        ("climb 3000\n", "\"climb\" is not a search parameter"),
        ("", "the file has no parameters"),
    ] {
        fs::write(&file, text).unwrap();
        let line = refused(&run(&["player", "--params", path], "[]"));
        assert!(line.contains(told) && line.contains(path), "{line}");
    }
}

#[test]
fn wrong_requests_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("params.txt");
    for (wrong, told) in [
        (
            "--only=climb",
            "no search parameter is called \"climb\"; the parameters are aspiration_window",
        ),
        ("--nodes=0", "0 is not in 1.."),
        ("--eval=nothing", "\"nothing\" is not network"),
        ("--only=", "no search parameter is called \"\""),
    ] {
        let line = refused(&run(&["tune", "--out", out.to_str().unwrap(), wrong], ""));
        assert!(line.contains(told), "{line}");
        assert!(!out.exists());
    }
    // A file too long for a network is not read to its end.
    let long = folder.path().join("long.bin");
    fs::File::create(&long).unwrap().set_len(1 << 40).unwrap();
    let eval = format!("--eval={}", long.display());
    let line = refused(&run(&["tune", "--out", out.to_str().unwrap(), &eval], ""));
    assert!(line.contains("more than"), "{line}");
    // A file that the program did not write is not overwritten.
    fs::write(&out, "climb_value 3000\n").unwrap();
    assert!(refused(&tune("", &out)).contains("not written by"));
    assert_eq!(fs::read_to_string(&out).unwrap(), "climb_value 3000\n");
}

#[test]
fn shares_merge_to_their_mean_which_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (shard, pairs) in [("1/2", 32), ("2/2", 64)] {
        let more = format!("--shard {shard} --pairs {pairs}");
        tuned(&more, &path(&shard.replace('/', "-")));
    }
    let value = |name: &str| -> f64 {
        let text = fs::read_to_string(path(name)).unwrap();
        let line = text.lines().find(|line| line.starts_with("climb_value "));
        line.unwrap().split(' ').nth(1).unwrap().parse().unwrap()
    };
    let merge = |files: &[&str], out: &str| {
        let words = format!("tune merge --out {out} {}", files.join(" "));
        santorini_in(folder.path(), &words).output().unwrap()
    };
    let output = merge(&["1-2", "2-2"], "all");
    assert!(output.status.success(), "{output:?}");
    let mean = (32.0 * value("1-2") + 64.0 * value("2-2")) / 96.0;
    assert!((value("all") - mean).abs() < 1e-3, "{mean}");
    assert_ne!(value("1-2"), value("2-2"));
    let text = fs::read_to_string(path("all")).unwrap();
    assert!(
        text.contains("\npairs 96\n") && !text.contains("--shard"),
        "{text}"
    );
    assert!(output.stderr.is_empty(), "{output:?}");
    let told = errors(&merge(&["2-2"], "half"));
    assert!(told.contains("1 of 2 shares are missing"), "{told}");
    tuned("--pairs 97", &path("all"));
    assert!(refused(&merge(&["1-2", "1-2"], "no")).contains("share 1/2 is given twice"));
    assert!(refused(&merge(&["1-2", "all"], "no")).contains("not a share"));
    assert!(refused(&merge(&["1-2"], "all")).contains("exists"));
    assert!(!path("no").exists());
}
