//! The command that resumes an interrupted run: the original command line, with all
//! its options.

use super::files::ForceArgs;
use crate::shell::quoted_words;

/// The words of the command line of this process.
pub(super) fn own_words() -> Vec<String> {
    let words = std::env::args_os();
    words
        .map(|word| word.to_string_lossy().into_owned())
        .collect()
}

/// The command of these words, with `--resume` and the option `output` added if they are
/// missing.
pub(super) fn resuming(mut words: Vec<String>, output: Option<[&str; 2]>) -> String {
    // Options end at a `--`.
    let options = words.iter().position(|word| word == "--");
    let options = &words[..options.unwrap_or(words.len())];
    let has = |name: &str| {
        let mut options = options.iter();
        options.any(|word| {
            word.strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        })
    };
    let mut added: Vec<String> = Vec::new();
    if !has("--resume") {
        added.push("--resume".into());
    }
    if let Some(output) = output.filter(|[name, _]| !has(name)) {
        added.extend(output.map(String::from));
    }
    // After the program and the subcommand.
    let place = words.len().min(2);
    words.splice(place..place, added);
    quoted_words(&words)
}

/// How to resume a command that continues its file unless `--force` is given.
pub(super) const fn same_command(force: ForceArgs) -> &'static str {
    match force.force {
        true => "the same command without --force",
        false => "the same command",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_options_are_added_to_the_command() {
        let resumed = |text: &str, file: &str| {
            resuming(shlex::split(text).unwrap(), Some(["--output", file]))
        };
        assert_eq!(
            resumed("./santorini tournament 'A=./a -x' ./b", "t 1.jsonl"),
            "./santorini tournament --resume --output 't 1.jsonl' 'A=./a -x' ./b"
        );
        assert_eq!(
            resumed("s tournament --output=f a b", "f"),
            "s tournament --resume '--output=f' a b"
        );
        assert_eq!(
            resumed("s tournament --resume --output f -- a --resume", "f"),
            "s tournament --resume --output f -- a --resume"
        );
        let words = shlex::split("s serve --bots 3 --results r").unwrap();
        assert_eq!(
            resuming(words, None),
            "s serve --resume --bots 3 --results r"
        );
    }
}
