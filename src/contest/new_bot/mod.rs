//! Example players to start from: small complete programs in several languages, each with
//! a test script.
//!
//! | to see or change | look at |
//! |---|---|
//! | the languages, and how to build and run their programs | `language.rs` |
//! | the programs and test scripts | `templates/` |
//! | the files of a new folder | `mod.rs` (here) |
//!
//! | to add | change |
//! |---|---|
//! | a language | its player and bot in `templates/`, `Language` and its commands in `language.rs`; `tests/new_bot.rs` |

mod language;

use std::path::{Path, PathBuf};

use crate::shell::quoted;

pub(crate) use language::{Language, Protocol};

/// An example player: the files of its folder.
#[derive(Debug)]
pub(crate) struct NewBot {
    /// The files to write, the program first.
    pub files: Vec<NewFile>,
    /// The command that runs it from the current folder.
    pub command: String,
}

/// A file to write.
#[derive(Debug)]
pub(crate) struct NewFile {
    /// The path inside the new folder.
    pub path: PathBuf,
    /// The contents.
    pub text: String,
    /// A short description.
    pub about: &'static str,
    /// Whether the file gets execute permission.
    pub executable: bool,
}

const TEST: &str = "test.sh";

impl NewBot {
    /// Creates the files of a player for `folder`. `program` is the path of this program,
    /// which the test script runs.
    pub(crate) fn new(
        language: Language,
        protocol: Protocol,
        folder: &Path,
        program: &Path,
    ) -> Self {
        let template = language.template(protocol);
        let test = match protocol {
            Protocol::Standard | Protocol::Cards => include_str!("templates/test_player.sh"),
            Protocol::Tcp => include_str!("templates/test_bot.sh"),
        };
        let [games, options, opponent, about] = match protocol {
            // Starting a player takes longer than a game, so the players are reused. The
            // agents of the laboratory do not know cards.
            Protocol::Cards => [
                "112",
                "--all-cards --rounds 1 --reuse",
                "fake-player random",
                "plays 112 games, with all pairs of cards, without restarting the player, and \
                 checks every answer",
            ],
            Protocol::Standard | Protocol::Tcp => [
                "20",
                "--rounds 10",
                "lab player random",
                "plays 20 games against random turns and checks every answer",
            ],
        };
        let build = template.build.as_ref();
        let build = build.map_or_else(String::new, |build| format!("{build}\n"));
        let test = test
            .replace("@HEAD@\n", include_str!("templates/test_head.sh"))
            .replace("@SANTORINI@", &quoted(&program.to_string_lossy()))
            .replace("@BUILD@\n", &build)
            .replace("@COMMAND@", &template.command_in("."))
            .replace("@ABOUT@", about)
            .replace("@GAMES@", games)
            .replace("@OPTIONS@", options)
            .replace("@OPPONENT@", opponent);
        let file = |name: &str, text: String, about, executable| NewFile {
            path: folder.join(name),
            text,
            about,
            executable,
        };
        let is_script = template.text.starts_with("#!");
        Self {
            files: vec![
                file(
                    template.file,
                    template.text.into(),
                    "the program",
                    is_script,
                ),
                file(TEST, test, about, true),
            ],
            command: template.command_in(&folder.to_string_lossy()),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    fn all() -> impl Iterator<Item = (Language, Protocol)> {
        let protocols = [Protocol::Standard, Protocol::Cards, Protocol::Tcp];
        let languages = Language::value_variants().iter().copied();
        languages.flat_map(move |it| protocols.map(|protocol| (it, protocol)))
    }

    fn new(language: Language, protocol: Protocol, folder: &str, program: &str) -> NewBot {
        NewBot::new(language, protocol, Path::new(folder), Path::new(program))
    }

    #[test]
    fn programs_are_short_and_say_what_they_are() {
        for (language, protocol) in all() {
            let bot = new(language, protocol, "dir", "/bin/s");
            let text = &bot.files[0].text;
            let most = match protocol {
                Protocol::Cards => 120,
                Protocol::Standard | Protocol::Tcp => 60,
            };
            assert!(text.lines().count() <= most, "{language:?} {protocol:?}");
            assert!(
                text.lines().all(|line| line.len() <= 132),
                "{language:?} {protocol:?}"
            );
            let head: Vec<&str> = text.lines().take(2).collect();
            assert!(head.concat().contains("for "), "{language:?} {protocol:?}");
            let guide = match protocol {
                Protocol::Standard | Protocol::Cards => "santorini help rules",
                Protocol::Tcp => "santorini help protocol",
            };
            let head: Vec<&str> = text.lines().take(3).collect();
            assert!(head.concat().contains(guide), "{language:?} {protocol:?}");
        }
    }

    #[test]
    fn paths_with_spaces_are_quoted() {
        for (language, protocol) in all() {
            let bot = new(language, protocol, "my bot", "/a b/s");
            let words = shlex::split(&bot.command).unwrap();
            assert!(
                words.iter().any(|word| word.starts_with("my bot")),
                "{words:?}"
            );
            let test = &bot.files[1].text;
            assert!(test.contains("known='/a b/s'\n"), "{test}");
            assert!(!test.contains('@'), "{test}");
        }
    }
}
