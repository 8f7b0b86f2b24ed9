//! The languages in which players to start from are written.

/// A language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    Python,
    Javascript,
    Java,
    C,
    Haskell,
    Rust,
}

/// How a program is asked for its turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// JSON on standard input and output.
    Standard,
    /// Lines over a TCP connection.
    Tcp,
}

/// A program in a language.
pub struct Source {
    /// The name of its file.
    pub file: &'static str,
    pub text: &'static str,
    /// The command that builds it, in its folder; `None` if it runs as it is.
    pub build: Option<&'static str>,
    /// The command that starts it; `@` stands for its folder.
    command: &'static str,
}

impl Source {
    /// The command that starts it in a folder, with quotes where it needs them.
    pub fn command_in(&self, folder: &str) -> String {
        let words = self
            .command
            .split(' ')
            .map(|word| word.replace('@', folder));
        let words: Vec<String> = words.collect();
        let joined = shlex::try_join(words.iter().map(String::as_str));
        joined.unwrap_or_else(|_| words.join(" "))
    }
}

macro_rules! source {
    ($file:literal, $build:expr, $command:literal) => {
        Source {
            file: $file,
            text: include_str!(concat!("templates/", $file)),
            build: $build,
            command: $command,
        }
    };
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Python,
        Self::Javascript,
        Self::Java,
        Self::C,
        Self::Haskell,
        Self::Rust,
    ];

    /// The program in this language.
    pub fn source(self, protocol: Protocol) -> Source {
        use Protocol::{Standard, Tcp};
        match (self, protocol) {
            (Self::Python, Standard) => source!("player.py", None, "python3 @/player.py"),
            (Self::Python, Tcp) => source!("bot.py", None, "python3 @/bot.py"),
            (Self::Javascript, Standard) => source!("player.js", None, "node @/player.js"),
            (Self::Javascript, Tcp) => source!("bot.js", None, "node @/bot.js"),
            (Self::Java, Standard) => {
                source!(
                    "Player.java",
                    Some("javac Player.java"),
                    "java -cp @ Player"
                )
            }
            (Self::Java, Tcp) => source!("Bot.java", Some("javac Bot.java"), "java -cp @ Bot"),
            (Self::C, Standard) => {
                source!(
                    "player.c",
                    Some("cc -O2 -Wall -o player player.c"),
                    "@/player"
                )
            }
            (Self::C, Tcp) => source!("bot.c", Some("cc -O2 -Wall -o bot bot.c"), "@/bot"),
            (Self::Haskell, Standard) => {
                source!(
                    "Player.hs",
                    Some("ghc -O -v0 -o player Player.hs"),
                    "@/player"
                )
            }
            (Self::Haskell, Tcp) => source!("Bot.hs", Some("ghc -O -v0 -o bot Bot.hs"), "@/bot"),
            (Self::Rust, Standard) => {
                source!(
                    "player.rs",
                    Some("rustc --edition 2021 -O player.rs"),
                    "@/player"
                )
            }
            (Self::Rust, Tcp) => {
                source!("bot.rs", Some("rustc --edition 2021 -O bot.rs"), "@/bot")
            }
        }
    }
}
