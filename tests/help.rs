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
    ] {
        assert_eq!(completes(line).trim(), reply, "{line}");
    }
    for shell in ["zsh", "fish"] {
        assert!(stdout(&run(&["completions", shell], "")).contains("tournament"));
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
    assert!(page("santorini").contains("santorini\\-tournament(1)"));
    assert!(page("santorini-merge").contains("report.html"));
    assert!(page("santorini-lab-play").contains("alphabeta:depth=3"));
    assert!(!pages.join("santorini-fake-player.1").exists());
}
