//! Help, version, completions and manual pages.

use std::fs;
use std::process::Command;

use crate::installed::installed;
use crate::program::{errors, run, stdout};

#[test]
fn help_in_a_pipe_is_plain_and_whole() {
    let output = run(&["help", "protocol"], "");
    assert_eq!(
        stdout(&output),
        include_str!("../src/games/protocol/TCP.txt")
    );
    let list = stdout(&run(&["help"], ""));
    assert!(
        list.contains("\nTournaments:\n") && !list.contains('\u{1b}'),
        "{list}"
    );
    assert_eq!(stdout(&run(&["--help"], "")), list);
}

#[test]
fn an_unknown_help_topic_is_a_usage_error() {
    let output = run(&["help", "dance"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let told = errors(&output);
    assert!(
        told.contains("\"dance\"") && told.contains("topics: rules, "),
        "{told}"
    );
}

#[test]
fn version_shows_instructions_and_networks() {
    let short = stdout(&run(&["-V"], ""));
    let number = format!("santorini {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(short, number);
    let long = stdout(&run(&["--version"], ""));
    let networks = "\nnetworks: 5x5 512 hidden units, 5x5 with cards 256 hidden units";
    assert!(long.starts_with(number.trim_end()), "{long}");
    assert!(
        long.contains("\ninstructions: ") && long.contains(networks),
        "{long}"
    );
}

#[test]
fn bash_completes_commands_options_and_topics() {
    let Some(bash) = installed(&["bash"]) else {
        return;
    };
    let script = stdout(&run(&["completions", "bash"], ""));
    let completes = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let ask = format!(
            "{script}\nCOMP_WORDS=({line}); COMP_CWORD={}\n\
             _santorini santorini '{}' '{}'; echo \"${{COMPREPLY[@]}}\"",
            words.len() - 1,
            words[words.len() - 1],
            words[words.len() - 2]
        );
        let output = Command::new(bash).args(["-c", &ask]).output().unwrap();
        stdout(&output)
    };
    for (line, reply) in [
        ("santorini tourn", "tournament"),
        ("santorini duel --spr", "--sprt --sprt-model"),
        ("santorini help proto", "protocol"),
        ("santorini help lab pl", "play player"),
    ] {
        assert_eq!(completes(line).trim(), reply, "{line}");
    }
    for shell in ["zsh", "fish"] {
        let script = stdout(&run(&["completions", shell], ""));
        assert!(script.contains("tournament") && script.contains("with a whole game"));
    }
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("share/man1");
    let arguments = ["man", pages.to_str().unwrap()];
    for _ in 0..2 {
        assert!(run(&arguments, "").status.success());
    }
    fs::write(pages.join("santorini-duel.1"), ".TH another page").unwrap();
    let refused = run(&arguments, "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors(&refused).contains("santorini-duel.1"));
    let page = |name: &str| fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
    let main = page("santorini");
    for part in [
        "santorini\\-tournament(1)",
        ".SS Tournaments\n",
        "\nprotocol\n",
    ] {
        assert!(main.contains(part), "{part:?} is missing: {main}");
    }
    // It depends on the version alone.
    assert!(!main.contains("instructions") && !main.contains("AVX"));
    assert!(main.contains(concat!(
        ".TH santorini 1 \"\" \"santorini ",
        env!("CARGO_PKG_VERSION"),
        "\""
    )));
    assert!(page("santorini-merge").contains("report.html"));
    assert!(page("santorini-lab-play").contains("alphabeta:depth=3"));
    assert!(page("santorini-uci").contains("\n.SH GUIDE\n"));
    assert!(!pages.join("santorini-fake-player.1").exists());
    // Examples keep their lines.
    let check = page("santorini-check");
    let (_, example) = check.split_once("\n.SH DESCRIPTION\n.in 0\n.nf\n").unwrap();
    assert!(example.contains("\n  {\"players\":[[[2,3],[4,4]],[[2,5],[3,5]]],\"turn\":18,\n"));
    let file = pages.join("santorini.1");
    let refused = run(&["man", file.to_str().unwrap()], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(errors(&refused).contains("is not a folder"));
}
