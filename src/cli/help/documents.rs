//! Tests of documents and help texts: their commands are accepted, the files that
//! they name exist, and every command has examples.

use std::fs;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{Command, FromArgMatches};
use serde_json::{Value, json};

use super::{explain, find, topics};
use crate::cli::{Cli, command};
use crate::program::GUARD;
use crate::protocol::exchange::{read_board, read_setup, write_setup};
use crate::rules::{Card, Setup};
use crate::verdict::judge;

const README: &str = include_str!("../../../README.txt");

/// Documents about the past. Their commands need not work any more.
const HISTORY: [&str; 4] = [
    "CHANGELOG.md",
    "src/engine/search/TRIED.md",
    "src/engine/eval/network/TRIED.md",
    "tests/peers/RESULTS.md",
];

/// The README, the guides and the gallery of the site, with their names.
fn documents() -> Vec<(String, String)> {
    let guides = topics::ALL.iter();
    let guides = guides.map(|topic| (topic.name.to_string(), topic.text.to_string()));
    let readme = ("README.txt".to_string(), README.to_string());
    let gallery = ("gallery.md".to_string(), gallery());
    [readme, gallery].into_iter().chain(guides).collect()
}

/// The commands of the gallery, indented as in the other documents.
fn gallery() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/site/gallery.md");
    let text = fs::read_to_string(path).unwrap();
    let blocks = text.split("```sh\n").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().unwrap());
    blocks
        .flat_map(str::lines)
        .map(|line| format!("  {line}\n"))
        .collect()
}

/// The help texts of all commands that people use, with their names.
fn help_texts() -> Vec<(String, String)> {
    fn add(command: &mut Command, texts: &mut Vec<(String, String)>) {
        let name = command.get_bin_name().unwrap_or_default().to_string();
        texts.push((name, command.render_long_help().to_string()));
        let below = command.get_subcommands_mut();
        below
            .filter(|command| command.get_name() != GUARD)
            .for_each(|command| add(command, texts));
    }
    let mut program = command();
    program.build();
    let mut texts = Vec::new();
    add(&mut program, &mut texts);
    texts
}

/// The command lines of this program in a text, split into words: in indented lines,
/// and between backticks in other lines.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut prose = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with("  ") {
            prose += line;
            prose.push(' ');
        } else if line.contains("santorini ") {
            let mut code = without_remark(line).to_string();
            let words = loop {
                let words = shlex::split(&code);
                let is_whole = !code.ends_with(['\\', '|']);
                match words.filter(|_| is_whole) {
                    Some(words) => break words,
                    None => {
                        code.truncate(code.trim_end_matches('\\').len());
                        code.push(' ');
                        code += lines.next().expect("a command line ends").trim();
                    }
                }
            };
            found.extend(calls(&words));
        }
    }
    for span in prose.split('`').skip(1).step_by(2) {
        found.extend(calls(&shlex::split(span).unwrap_or_default()));
    }
    found
}

/// A line without its remark, which follows three or more spaces.
fn without_remark(line: &str) -> &str {
    let line = line.trim();
    line.split_once("   ").map_or(line, |(code, _)| code)
}

/// The calls of this program in the words of a command line: in each part of a pipe,
/// as an argument of other programs, and in quoted words.
fn calls(words: &[String]) -> Vec<Vec<String>> {
    let is_program = |word: &String| word == "santorini" || word == "./santorini";
    let mut found = Vec::new();
    for part in words.split(|word| word == "|" || word == "&&") {
        let redirected = |word: &String| word.starts_with(['<', '>']) || word.starts_with("2>");
        let end = part.iter().position(redirected).unwrap_or(part.len());
        let part = &part[..end];
        if let Some(start) = part.iter().position(is_program) {
            found.push(part[start..].to_vec());
        }
        for word in part.iter().filter(|word| word.contains("santorini ")) {
            let word = word
                .split_once('=')
                .map_or(word.as_str(), |(_, command)| command);
            found.extend(calls(&shlex::split(word).expect("quotes are closed")));
        }
    }
    found
}

/// Checks that the program accepts a command line. Files that it would read need not
/// exist.
fn accepted(words: &[String]) -> Result<(), String> {
    let values = [
        ("$SLURM_ARRAY_TASK_ID", "1"),
        ("$SLURM_ARRAY_TASK_COUNT", "16"),
        ("{}", "1"),
    ];
    let words = words.iter().map(|word| {
        let filled = values.iter();
        filled.fold(word.clone(), |word, (name, value)| {
            word.replace(name, value)
        })
    });
    let words: Vec<String> = words.collect();
    if words.len() == 1 {
        return Ok(());
    }
    if find(&mut command(), &words[1..]).is_some() {
        return Ok(());
    }
    if words[1] == "help" {
        let is_name = |name: &String| *name != name.to_uppercase();
        let names: Vec<String> = words[2..]
            .iter()
            .filter(|name| is_name(name))
            .cloned()
            .collect();
        return explain(command(), &names)
            .map(drop)
            .map_err(|error| error.to_string());
    }
    let matches = command().try_get_matches_from(&words);
    let parsed = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    match parsed {
        Ok(_) => Ok(()),
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
            ) =>
        {
            Ok(())
        }
        Err(error) if error.to_string().contains("No such file") => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

/// The files of this repository that a text names.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    const FOLDERS: [&str; 3] = ["src/", "tests/", ".ci/"];
    const FILES: [&str; 5] = [
        "README.txt",
        "CHANGELOG.md",
        "LICENSE",
        "Cargo.toml",
        "build.sh",
    ];
    let separates = |letter: char| letter.is_whitespace() || "`'\"(),;:".contains(letter);
    let words = text.split(separates).map(|word| {
        let word = word.trim_end_matches('.');
        word.strip_prefix("./").unwrap_or(word)
    });
    words.filter(|word| {
        FILES.contains(word) || FOLDERS.iter().any(|folder| word.starts_with(folder))
    })
}

#[test]
fn commands_in_documents_and_help_texts_are_accepted() {
    for (name, text) in documents().into_iter().chain(help_texts()) {
        for words in commands(&text) {
            if let Err(error) = accepted(&words) {
                panic!("{name}: {}\n{error}", words.join(" "));
            }
        }
    }
    let count = |(_, text): &(String, String)| commands(text).len();
    assert!(documents().iter().map(count).sum::<usize>() > 60);
    assert!(help_texts().iter().map(count).sum::<usize>() > 60);
}

/// The values of a guide on indented lines that begin with a word.
fn values(text: &str, word: &str) -> Vec<Value> {
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.strip_prefix(word));
    lines
        .map(|json| serde_json::from_str(json).unwrap())
        .collect()
}

#[test]
fn the_answers_in_the_rules_are_legal() {
    let text = topics::find("rules").unwrap().text;
    let (asked, answered) = (values(text, "asked "), values(text, "answers "));
    assert_eq!(asked.len(), answered.len());
    for (asked, answered) in asked.iter().zip(&answered) {
        if asked.is_array() {
            let setup = read_setup::<5>(asked).unwrap();
            let own = answered.as_array().and_then(|players| players.last());
            let own = own.map(|player| player.get("tokens").unwrap_or(player));
            let Ok(Setup::Second { first: own, .. }) = read_setup::<5>(&json!([own])) else {
                panic!("{answered}");
            };
            assert_eq!(write_setup::<5>(&setup, own), *answered);
        } else {
            judge(&read_board::<5>(asked).unwrap(), answered).unwrap();
        }
    }
    let cards = asked.iter().filter(|it| it.to_string().contains("card"));
    assert!(cards.count() > 2 && asked.len() > 5);
    for card in Card::ALL {
        assert!(text.contains(&format!("\n  {card} ")), "{card}");
    }
}

#[test]
fn files_named_in_documents_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, text) in documents().into_iter().chain(help_texts()) {
        for path in paths(&text) {
            assert!(root.join(path).exists(), "{name}: {path}");
        }
    }
    assert!(paths(README).count() > 25);
}

#[test]
fn files_named_in_the_history_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut links = 0;
    for name in HISTORY {
        let text = fs::read_to_string(root.join(name)).unwrap();
        for path in paths(&text) {
            assert!(root.join(path).exists(), "{name}: {path}");
        }
        let folder = root.join(name).parent().unwrap().to_path_buf();
        for link in text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            assert!(folder.join(link).exists(), "{name}: {link}");
            links += 1;
        }
    }
    assert!(links > 15, "{links}");
}

#[test]
fn every_command_begins_with_examples() {
    for (name, text) in help_texts() {
        let examples = text.split("\n\n").nth(1).unwrap_or_default();
        assert!(examples.starts_with("Example"), "{name}: {text}");
        let own = commands(examples);
        let is_own =
            |words: &Vec<String>| words.join(" ").trim_start_matches("./").starts_with(&name);
        assert!(own.iter().any(is_own), "{name}: {own:?}");
    }
}

/// The parts of all help texts that are shown line by line, with the names of the commands.
fn verbatim_texts() -> Vec<(String, String)> {
    fn add(command: &Command, texts: &mut Vec<(String, String)>) {
        let name = command.get_bin_name().unwrap_or_default();
        let parts = [command.get_long_about(), command.get_after_long_help()];
        let parts = parts.into_iter().flatten();
        texts.extend(parts.map(|part| (name.to_string(), part.to_string())));
        command.get_subcommands().for_each(|it| add(it, texts));
    }
    let mut program = command();
    program.build();
    let mut texts = Vec::new();
    add(&program, &mut texts);
    texts
}

/// A terminal would wrap longer lines: wrapped text is hard to read, and a wrapped command
/// cannot be pasted.
#[test]
fn lines_of_help_and_documents_have_at_most_80_columns() {
    for (name, text) in verbatim_texts().into_iter().chain(documents()) {
        // A line of a program's input or output, which cannot be broken.
        let is_json = |line: &str| {
            let holds_board = [",[[", ":[["].iter().any(|it| line.contains(it));
            holds_board || serde_json::from_str::<Value>(line).is_ok()
        };
        let too_long = |line: &&str| line.chars().count() > 80 && !is_json(line);
        assert_eq!(text.lines().find(too_long), None, "{name}");
    }
}

#[test]
fn the_readme_lists_every_command_and_guide() {
    let lines: Vec<&str> = README.lines().collect();
    for command in command()
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
    {
        let name = command.get_name();
        let lists = |line: &&str| {
            let names = line
                .strip_prefix("  ")
                .and_then(|line| line.split("  ").next());
            names.is_some_and(|names| names.split(", ").any(|listed| listed == name))
        };
        assert!(lines.iter().any(lists), "{name}");
    }
    for topic in topics::ALL {
        assert!(
            README.contains(&format!("`./santorini help {}`", topic.name)),
            "{}",
            topic.name
        );
    }
}

#[test]
fn command_lines_are_found_in_any_place() {
    let text = "Say `santorini help\nlab` or `cat`:\n  \
        echo '[]' | santorini player --time 1 > file\n  \
        nice ./santorini duel a=\"--eval x\" \\\n      b=   the rest\n  \
        santorini referee 'A=./santorini fake-player random' ./b\n";
    let found: Vec<String> = commands(text).iter().map(|words| words.join(" ")).collect();
    let expected = [
        "santorini player --time 1",
        "./santorini duel a=--eval x b=",
        "santorini referee A=./santorini fake-player random ./b",
        "./santorini fake-player random",
        "santorini help lab",
    ];
    // The remark on a continued line is on its second line.
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.starts_with(expected), "{found}");
    }
    let wrong = [
        "./santorini duel --nods 5 a b",
        "santorini dance",
        "santorini help dance",
    ];
    for wrong in wrong {
        let words = shlex::split(wrong).unwrap();
        assert!(accepted(&words).is_err(), "{wrong}");
    }
    assert_eq!(
        paths("see `src/a.rs`, ./build.sh and src.").collect::<Vec<_>>(),
        ["src/a.rs", "build.sh"]
    );
}
