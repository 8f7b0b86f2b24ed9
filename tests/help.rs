//! Help, completions, manual pages, and the player that `new-bot python` writes.

use std::fs;
use std::process::Command;

use crate::installed::installed;
use crate::program::{SANTORINI, run};

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn the_python_player_of_new_bot_plays_and_takes_wins() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/contest/new_bot/templates/player.py"
    );
    let Some(python) = installed(&["python3"]) else {
        return;
    };
    let mut won = 0;
    for seed in ["1", "2", "3", "4"] {
        // The seed makes its random choices repeatable.
        let seeded = format!(
            "import random, runpy; random.seed({seed}); runpy.run_path({file:?}, run_name='__main__')"
        );
        let ours = shlex::try_join([python, "-c", &seeded]).unwrap();
        let random = shlex::try_join([SANTORINI, "fake-player", "random", "--seed", seed]).unwrap();
        let (ours, random) = (format!("ours={ours}"), format!("random={random}"));
        for [first, second] in [[&ours, &random], [&random, &ours]] {
            let output = run(&["referee", first, second], "");
            let commentary = text(output.stderr);
            let end = commentary.lines().last().unwrap();
            let fair = end.starts_with("Win by ") || end.starts_with("No move possible for ");
            assert!(fair && output.status.success(), "{commentary}");
            won += u32::from(["Win by ours", "No move possible for random"].contains(&end));
        }
    }
    // It takes every win in one; the other player only by chance.
    assert!(won >= 6, "{won} of 8");
}

#[test]
fn help_in_a_pipe_is_plain_and_whole() {
    let output = run(&["help", "protocol"], "");
    assert_eq!(
        text(output.stdout),
        include_str!("../src/games/protocol/TCP.txt")
    );
    let list = text(run(&["help"], "").stdout);
    assert!(
        list.contains("\nTournaments:\n") && !list.contains('\u{1b}'),
        "{list}"
    );
    assert_eq!(text(run(&["--help"], "").stdout), list);
}

#[test]
fn what_help_does_not_know_is_a_usage_error() {
    let output = run(&["help", "dance"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let errors = text(output.stderr);
    assert!(
        errors.contains("\"dance\"") && errors.contains("topics: rules, "),
        "{errors}"
    );
}

#[test]
fn version_tells_instructions_and_networks() {
    let short = text(run(&["-V"], "").stdout);
    let number = format!("santorini {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(short, number);
    let long = text(run(&["--version"], "").stdout);
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
    let script = text(run(&["completions", "bash"], "").stdout);
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
        text(output.stdout)
    };
    for (line, reply) in [
        ("santorini tourn", "tournament"),
        ("santorini duel --spr", "--sprt --sprt-model"),
        ("santorini help proto", "protocol"),
    ] {
        assert_eq!(completes(line).trim(), reply, "{line}");
    }
    for shell in ["zsh", "fish"] {
        assert!(text(run(&["completions", shell], "").stdout).contains("tournament"));
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
    assert!(text(refused.stderr).contains("santorini-duel.1"));
    let page = |name: &str| fs::read_to_string(pages.join(format!("{name}.1"))).unwrap();
    assert!(page("santorini").contains("santorini\\-tournament(1)"));
    assert!(page("santorini-merge").contains("report.html"));
    assert!(page("santorini-lab-play").contains("alphabeta:depth=3"));
    assert!(!pages.join("santorini-fake-player.1").exists());
}
