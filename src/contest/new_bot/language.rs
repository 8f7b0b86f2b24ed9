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
    pub build: Option<String>,
    /// The command that runs it; `@` stands for its folder.
    command: String,
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

/// The file, the name without its ending, and the text of each program of a language, in
/// the order of [`Protocol`].
macro_rules! programs {
    ($ending:literal, $($name:literal)*) => {
        [$((
            concat!($name, $ending),
            $name,
            include_str!(concat!("templates/", $name, $ending)),
        )),*]
    };
}

impl Language {
    /// The example program in this language.
    pub(crate) fn template(self, protocol: Protocol) -> Template {
        // In the commands FILE is the file, NAME its name without the ending, and PROGRAM
        // the compiled program.
        let (programs, build, command) = match self {
            Self::Python => (
                programs!(".py", "player" "card_player" "bot"),
                None,
                "python3 @/FILE",
            ),
            Self::Javascript => (
                programs!(".js", "player" "card_player" "bot"),
                None,
                "node @/FILE",
            ),
            Self::Java => (
                programs!(".java", "Player" "CardPlayer" "Bot"),
                Some("javac FILE"),
                "java -cp @ NAME",
            ),
            Self::C => (
                programs!(".c", "player" "card_player" "bot"),
                Some("cc -O2 -Wall -o PROGRAM FILE"),
                "@/PROGRAM",
            ),
            Self::Haskell => (
                programs!(".hs", "Player" "CardPlayer" "Bot"),
                Some("ghc -O -v0 -o PROGRAM FILE"),
                "@/PROGRAM",
            ),
            Self::Rust => (
                programs!(".rs", "player" "card_player" "bot"),
                Some("rustc --edition 2021 -O FILE"),
                "@/PROGRAM",
            ),
        };
        let (file, name, text) = programs[protocol as usize];
        let program = ["player", "card_player", "bot"][protocol as usize];
        let filled = |command: &str| {
            let command = command.replace("FILE", file).replace("NAME", name);
            command.replace("PROGRAM", program)
        };
        Template {
            file,
            text,
            build: build.map(filled),
            command: filled(command),
        }
    }
}
