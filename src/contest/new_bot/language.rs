//! The languages of the example players.

/// A programming language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Language {
    /// Python 3.
    Python,
    /// JavaScript, run by Node.js.
    Javascript,
    /// Java, compiled with `javac`.
    Java,
    /// C, compiled with `cc`.
    C,
    /// Haskell, compiled with `ghc`.
    Haskell,
    /// Rust, compiled with `rustc`.
    Rust,
}

/// How a program gets its questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    /// JSON on standard input and output.
    Standard,
    /// The same, with god cards.
    Cards,
    /// Lines over a TCP connection.
    Tcp,
}

/// An example program.
pub(crate) struct Template {
    /// The file name.
    pub file: &'static str,
    pub text: &'static str,
    /// The command that builds it in its folder; `None` for scripts.
    pub build: Option<&'static str>,
    /// The command that runs it; `@` stands for its folder.
    command: &'static str,
}

impl Template {
    /// The command that runs it from `folder`, quoted where needed.
    pub(crate) fn command_in(&self, folder: &str) -> String {
        let words = self
            .command
            .split(' ')
            .map(|word| word.replace('@', folder));
        let words: Vec<String> = words.collect();
        let joined = shlex::try_join(words.iter().map(String::as_str));
        joined.unwrap_or_else(|_| words.join(" "))
    }
}

macro_rules! template {
    ($file:literal, $build:expr, $command:literal) => {
        Template {
            file: $file,
            text: include_str!(concat!("templates/", $file)),
            build: $build,
            command: $command,
        }
    };
}

impl Language {
    /// The example program in this language.
    pub(crate) fn template(self, protocol: Protocol) -> Template {
        use Protocol::{Cards, Standard, Tcp};
        match (self, protocol) {
            (Self::Python, Standard) => template!("player.py", None, "python3 @/player.py"),
            (Self::Python, Cards) => {
                template!("card_player.py", None, "python3 @/card_player.py")
            }
            (Self::Python, Tcp) => template!("bot.py", None, "python3 @/bot.py"),
            (Self::Javascript, Standard) => template!("player.js", None, "node @/player.js"),
            (Self::Javascript, Cards) => {
                template!("card_player.js", None, "node @/card_player.js")
            }
            (Self::Javascript, Tcp) => template!("bot.js", None, "node @/bot.js"),
            (Self::Java, Standard) => {
                template!(
                    "Player.java",
                    Some("javac Player.java"),
                    "java -cp @ Player"
                )
            }
            (Self::Java, Cards) => {
                template!(
                    "CardPlayer.java",
                    Some("javac CardPlayer.java"),
                    "java -cp @ CardPlayer"
                )
            }
            (Self::Java, Tcp) => template!("Bot.java", Some("javac Bot.java"), "java -cp @ Bot"),
            (Self::C, Standard) => {
                template!(
                    "player.c",
                    Some("cc -O2 -Wall -o player player.c"),
                    "@/player"
                )
            }
            (Self::C, Cards) => {
                template!(
                    "card_player.c",
                    Some("cc -O2 -Wall -o card_player card_player.c"),
                    "@/card_player"
                )
            }
            (Self::C, Tcp) => template!("bot.c", Some("cc -O2 -Wall -o bot bot.c"), "@/bot"),
            (Self::Haskell, Standard) => {
                template!(
                    "Player.hs",
                    Some("ghc -O -v0 -o player Player.hs"),
                    "@/player"
                )
            }
            (Self::Haskell, Cards) => {
                template!(
                    "CardPlayer.hs",
                    Some("ghc -O -v0 -o card_player CardPlayer.hs"),
                    "@/card_player"
                )
            }
            (Self::Haskell, Tcp) => template!("Bot.hs", Some("ghc -O -v0 -o bot Bot.hs"), "@/bot"),
            (Self::Rust, Standard) => {
                template!(
                    "player.rs",
                    Some("rustc --edition 2021 -O player.rs"),
                    "@/player"
                )
            }
            (Self::Rust, Cards) => {
                template!(
                    "card_player.rs",
                    Some("rustc --edition 2021 -O card_player.rs"),
                    "@/card_player"
                )
            }
            (Self::Rust, Tcp) => {
                template!("bot.rs", Some("rustc --edition 2021 -O bot.rs"), "@/bot")
            }
        }
    }
}
