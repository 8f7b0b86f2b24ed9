//! Small versions of all experiments, from the raw results to the report.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

use serde_json::{Map, Value};

use crate::charts::assert_readable;
use crate::program::{
    HANG, SANTORINI, Signal, errors, run, santorini, signal, success, wait_until,
};

const NAMES: [&str; 9] = [
    "fig2", "fig3", "fig4", "fig5", "runtime", "random", "fig6", "fig7", "ladder",
];

fn experiment(name: &str, folder: &Path, more: &[&str]) -> Output {
    let folder = folder.to_str().unwrap();
    let arguments = ["lab", "experiment", name, "--out", folder, "--quick"];
    run(&[&arguments, more].concat(), "")
}

/// The raw results without times.
fn results(folder: &Path, name: &str) -> Vec<Map<String, Value>> {
    let text = fs::read_to_string(folder.join(format!("{name}.jsonl"))).unwrap();
    let rows = text.lines().map(|line| {
        let mut row: Map<String, Value> = serde_json::from_str(line).unwrap();
        row.retain(|key, _| !["seconds", "agent_seconds", "agent_longest"].contains(&key.as_str()));
        row
    });
    rows.collect()
}

/// Whether agents search for a fixed time, so that runs differ.
fn by_the_clock(name: &str) -> bool {
    ["random", "ladder"].contains(&name)
}

#[test]
fn a_quick_run_is_reported_and_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = success(&experiment("all", folder, &["--jobs", "2"]));
    expect_report(folder, &text);
    expect_no_verdicts(folder, &text);
    expect_same_results_when_resumed(folder);
    expect_no_new_games(folder, &text);
}

/// All experiments are in the report and have a figure.
fn expect_report(folder: &Path, text: &str) {
    let report = fs::read_to_string(folder.join("report.html")).unwrap();
    for name in NAMES {
        assert!(text.contains(&format!("{name}: ")), "{text}");
        assert!(report.contains(&format!("<h2 id=\"{name}\">")));
        assert!(!results(folder, name).is_empty());
        let svg = fs::read_to_string(folder.join(format!("{name}.svg"))).unwrap();
        // The file has fixed colours; the page takes them from its style.
        assert!(svg.starts_with("<svg") && svg.contains("#FFFFFF"), "{name}");
    }
    assert!(!report.contains("=\"#0072B2\"") && report.contains("=\"var(--chart-0)\""));
    let charts = |class: &str| report.matches(&format!("<svg class=\"{class}\"")).count();
    assert_eq!(charts("wide"), report.matches("<figure>").count());
    assert_eq!(charts("narrow"), charts("wide"));
    assert_readable(&folder.join("report.html"), charts("wide"));
    for said in [
        "5:19 minutes",
        "49 seconds",
        "99 of 100",
        "100 of 100",
        "quick run",
    ] {
        assert!(report.contains(said), "{said}");
    }
    // The page is self-contained.
    assert!(!report.contains("src=") && !report.contains("url("));
    assert!(report.matches("href=").count() == report.matches("href=\"#").count());
}

/// A second run plays no games and makes the report from the results.
fn expect_no_new_games(folder: &Path, text: &str) {
    let report = fs::read_to_string(folder.join("report.html")).unwrap();
    let results = || NAMES.map(|name| fs::read(folder.join(format!("{name}.jsonl"))).unwrap());
    let before = results();
    fs::remove_file(folder.join("report.html")).unwrap();
    assert_eq!(success(&experiment("all", folder, &[])), text);
    assert_eq!(
        fs::read_to_string(folder.join("report.html")).unwrap(),
        report
    );
    assert!(results() == before);
}

/// An interrupted experiment resumes to the results of a whole one.
fn expect_same_results_when_resumed(whole: &Path) {
    let cut = tempfile::tempdir().unwrap();
    let settings = "settings.json";
    fs::copy(whole.join(settings), cut.path().join(settings)).unwrap();
    for name in NAMES.into_iter().filter(|name| !by_the_clock(name)) {
        let file = format!("{name}.jsonl");
        let text = fs::read(whole.join(&file)).unwrap();
        // Cut inside a line somewhere in the middle.
        fs::write(cut.path().join(file), &text[..text.len() / 2]).unwrap();
        success(&experiment(name, cut.path(), &["--jobs", "3"]));
        assert_eq!(results(cut.path(), name), results(whole, name), "{name}");
    }
}

#[test]
fn a_signal_prints_the_command_to_resume() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("with space");
    let out = path.to_str().unwrap();
    let child = santorini(&["lab", "experiment", "fig7", "--out", out, "--jobs", "1"])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // A full run takes minutes, so it is under way once there are results.
    let results = path.join("fig7.jsonl");
    wait_until("results", || {
        fs::metadata(&results).is_ok_and(|file| file.len() > 0)
    });
    signal(child.id(), Signal::SIGINT);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let error = errors(&output);
    let told = format!(
        "interrupted; resume with: {SANTORINI} lab experiment fig7 --out '{}' --jobs 1\n",
        path.display()
    );
    assert!(error.contains(&told), "{error}");
    assert!(fs::read_to_string(results).unwrap().ends_with('\n'));
    assert!(!path.join("report.html").exists());
}

#[test]
fn too_little_memory_to_learn_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let told = (8..40).map(|count| {
        let kib = (256 * count).to_string();
        let script = r#"ulimit -d $0 && exec "$@""#;
        let out = folder.path().join(&kib);
        let output = Command::new("sh")
            .args(["-c", script, &kib, SANTORINI, "lab", "experiment", "fig2"])
            .args(["--quick", "--jobs", "1", "--out", out.to_str().unwrap()])
            .output()
            .unwrap();
        let told = errors(&output);
        let code = output.status.code();
        assert!([Some(0), Some(1)].contains(&code), "{kib}: {code:?} {told}");
        told
    });
    let mut told = told.filter(|told| told.contains("not enough memory to learn a Q-table"));
    let told = told
        .next()
        .expect("one of these limits leaves too little memory");
    assert!(told.contains("; resume with: "), "{told}");
}

/// A quick run has no verdicts and no empty intervals.
fn expect_no_verdicts(folder: &Path, text: &str) {
    let report = fs::read_to_string(folder.join("report.html")).unwrap();
    for verdict in [">holds<", ">holds in part<", ">does not hold<"] {
        assert!(!report.contains(verdict), "{verdict}");
    }
    assert!(report.matches(">not decided<").count() > 20);
    assert!(!text.contains("\n  yes ") && !text.contains("\n  no ") && !text.contains("30000"));
    assert!(!report.contains("0.0 million") && text.contains("Depth 4 is not played"));
    let intervals = text.split('[').skip(1).filter_map(|rest| {
        let (interval, _) = rest.split_once(']')?;
        interval.split_once(", ")
    });
    let intervals: Vec<(&str, &str)> = intervals.collect();
    assert!(intervals.len() > 8, "{text}");
    assert!(intervals.iter().all(|(low, high)| low != high), "{text}");
    for figure in [
        "Fig. 2", "Fig. 3", "Fig. 4", "Fig. 5", "Fig. 6", "Fig. 7", "V.C", "V.D",
    ] {
        assert!(
            report.contains(&format!("\">{figure}</a></td><td data-head=\"Setting\">")),
            "{figure}"
        );
    }
}

#[test]
fn other_agents_join_the_ladder() {
    let folder = tempfile::tempdir().unwrap();
    let program = format!("program:{SANTORINI} fake-player random --wins");
    let with = ["--with", &program, "--with", "mc:episodes=7"];
    success(&experiment("ladder", folder.path(), &with));
    let report = fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(report.contains("fake-player random --wins") && report.contains("mc:episodes=7"));
    // Six agents, four games for each pair.
    assert_eq!(results(folder.path(), "ladder").len(), 15 * 4);
    let output = experiment("ladder", folder.path(), &[]);
    let error = errors(&output);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("\"with\":[\"program:") && error.contains("other settings"),
        "{error}"
    );
    let failing = ["--with", "program:true"];
    let output = experiment("random", tempfile::tempdir().unwrap().path(), &failing);
    let error = errors(&output);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("true exited without an answer"), "{error}");
}

#[test]
fn changed_results_are_named_and_not_continued() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for name in ["fig2", "fig3", "fig6"] {
        success(&experiment(name, folder, &[]));
    }
    let lines = |name: &str| {
        let text = fs::read_to_string(folder.join(format!("{name}.jsonl"))).unwrap();
        text.split_inclusive('\n')
            .map(String::from)
            .collect::<Vec<_>>()
    };
    let refused = |name: &str, lines: &[String], said: &str| {
        let path = folder.join(format!("{name}.jsonl"));
        let whole = fs::read(&path).unwrap();
        fs::write(&path, lines.concat()).unwrap();
        let output = experiment(name, folder, &[]);
        let error = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(
            error.contains(&format!("{name}.jsonl does not hold")) && error.contains(said),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), lines.concat());
        fs::write(&path, whole).unwrap();
    };
    for name in ["fig2", "fig3", "fig6"] {
        let mut without = lines(name);
        without.remove(2);
        refused(name, &without, "(line 3: another result belongs here)");
        let mut twice = lines(name);
        twice[3] = twice[2].clone();
        refused(name, &twice, "(line 4: another result belongs here)");
    }
    for (name, number) in [
        ("fig2", "\"won\":"),
        ("fig3", "\"reward\":"),
        ("fig6", "\"won\":"),
    ] {
        let mut larger = lines(name);
        let at = larger[4].find(number).unwrap() + number.len();
        let end = at + larger[4][at..].find([',', '}']).unwrap();
        larger[4].replace_range(at..end, "70");
        refused(name, &larger, "(line 5: a number is out of range)");
    }
    // Numbers that contradict the others: the last turn is the winner's, and a game takes as
    // long as both players.
    let number = |line: &str, key: &str| -> u64 {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        row[key].as_u64().unwrap()
    };
    let line = lines("fig6")[4].clone();
    let (won, turns) = (number(&line, "won"), number(&line, "turns"));
    for (key, value) in [
        ("won", (1 - won).to_string()),
        ("turns", (turns + 1).to_string()),
        ("agent_actions", "99".into()),
        ("agent_seconds", "100.04".into()),
        ("agent_longest", "100.04".into()),
        ("seconds", "0.0".into()),
    ] {
        let mut other = lines("fig6");
        let at = line.find(&format!("\"{key}\":")).unwrap() + key.len() + 3;
        let end = at + line[at..].find(',').unwrap();
        other[4].replace_range(at..end, &value);
        refused("fig6", &other, "(line 5: a number is out of range)");
    }
    success(&experiment("fig6", folder, &[]));
}

#[test]
fn wrong_requests_are_refused_and_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let refused = |name: &str, out: &Path, more: &[&str], said: &str| {
        let output = experiment(name, out, more);
        let error = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(
            error.contains(said) && error.lines().count() == 1,
            "{error}"
        );
    };
    let new = folder.join("new");
    refused(
        "fig9",
        &new,
        &[],
        "no experiment is called \"fig9\"; there are fig2, fig3",
    );
    assert!(!new.exists());
    let file = folder.join("file");
    fs::write(&file, "").unwrap();
    refused(
        "fig3",
        &file.join("below"),
        &[],
        "file/below: Not a directory",
    );
    refused(
        "fig3",
        Path::new("/proc/lab"),
        &[],
        "/proc/lab: No such file",
    );

    success(&experiment("fig3", &new, &[]));
    let seed = ["--seed", "2"];
    refused(
        "fig3",
        &new,
        &seed,
        "other settings ({\"seed\":1,\"quick\":true}), not {\"seed\":2,\"quick\":true}; use",
    );
    let with = ["--with", "mc:episodes=7"];
    let refused_with = |name, said| refused(name, &new, &with, said);
    refused_with(
        "fig3",
        "--with has no effect on fig3: it adds agents to random, ladder",
    );
    refused_with(
        "ladder",
        "not {\"seed\":1,\"quick\":true,\"with\":[\"mc:episodes=7\"]}",
    );
    // Learning would take an hour.
    let begun = Instant::now();
    let learner = ["--with", "qlearning:episodes=5000000"];
    refused("ladder", &new, &learner, "other settings (");
    let twice = [&learner[..], &learner].concat();
    refused("ladder", &folder.join("twice"), &twice, "is given twice");
    assert!(begun.elapsed() < HANG / 10);
    fs::write(new.join("fig3.jsonl"), "{\"other\":1}\n").unwrap();
    refused(
        "fig3",
        &new,
        &[],
        "fig3.jsonl does not hold results of this experiment (line 1: missing field",
    );
    fs::rename(new.join("fig3.jsonl"), new.join("fig3.csv")).unwrap();
    refused(
        "fig3",
        &new,
        &[],
        "fig3.csv holds results as CSV, from a version before 0.6.0",
    );
}
