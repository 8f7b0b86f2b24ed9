//! Parses commands.

use std::time::Duration;

use super::board::{AnyGameState, GameState};
use crate::rules::PositionError;
use crate::search::Limits;

/// A command.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: String,
    },
    /// The board to search, or why it is invalid.
    Position(Result<Box<AnyGameState>, String>),
    Go(Go),
    Stop,
    Display,
    Quit,
}

/// A request to search.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Go {
    pub limits: Limits,
    /// Whether to hold back the answer until `stop`.
    pub infinite: bool,
}

/// The commands, for messages.
const COMMANDS: &str = "uci, isready, setoption, ucinewgame, position, go, stop, d and quit";

/// The maximum time of a search, in milliseconds: a day.
const LONGEST: u64 = 86_400_000;

impl Command {
    /// Parses a line; `None` if it is empty.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub(super) fn parse(line: &str) -> Result<Option<Self>, String> {
        let mut words = line.split_ascii_whitespace();
        let Some(word) = words.next() else {
            return Ok(None);
        };
        let rest: Vec<&str> = words.collect();
        let command = match word {
            "setoption" => set_option(&rest)?,
            "position" => Self::Position(position(&rest).map(Box::new)),
            "go" => Self::Go(go(&rest)?),
            _ => {
                let command = plain(word);
                let command = command.ok_or_else(|| {
                    format!("unknown command {word:?}; the commands are {COMMANDS}")
                })?;
                if let Some(more) = rest.first() {
                    return Err(format!("{word}: unexpected {more:?}; it takes no argument"));
                }
                command
            }
        };
        Ok(Some(command))
    }
}

/// Parses a command of one word.
fn plain(word: &str) -> Option<Command> {
    Some(match word {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" | "newgame" => Command::NewGame,
        "stop" => Command::Stop,
        "d" => Command::Display,
        "quit" => Command::Quit,
        _ => return None,
    })
}

fn set_option(words: &[&str]) -> Result<Command, String> {
    match words {
        ["name", name, "value", value @ ..] if !value.is_empty() => Ok(Command::SetOption {
            name: name.to_string(),
            value: value.join(" "),
        }),
        _ => Err("setoption: use setoption name NAME value VALUE".into()),
    }
}

fn position(words: &[&str]) -> Result<AnyGameState, String> {
    let end = words.iter().position(|&word| word == "moves");
    let (board, moves) = match end {
        Some(end) => (&words[..end], &words[end + 1..]),
        None => (words, &[][..]),
    };
    let game = match board {
        ["startpos", size_and_cards @ ..] => start(size_and_cards)?,
        ["board", text @ ..] => AnyGameState::of_board(&text.join(" "))?,
        _ => {
            return Err(
                "position: use position startpos or position board BOARD, then moves".into(),
            );
        }
    };
    game.played(moves)
}

/// Parses the empty board: perhaps a size, 5 or 6, then perhaps two cards.
fn start(words: &[&str]) -> Result<AnyGameState, String> {
    let (six, cards) = match words {
        ["6", cards @ ..] => (true, cards),
        ["5", cards @ ..] => (false, cards),
        cards => (false, cards),
    };
    let card = |name: &&str| name.parse().map_err(|error| format!("position: {error}"));
    let cards = match cards {
        [] => [None, None],
        [a, b] => {
            let [a, b] = [card(a)?, card(b)?];
            if a == b {
                return Err(format!("position: {}", PositionError::SameCard(a)));
            }
            [Some(a), Some(b)]
        }
        _ => return Err("position: after startpos use 5 or 6, then two cards or none".into()),
    };
    Ok(if six {
        AnyGameState::Six(GameState::empty(cards))
    } else {
        AnyGameState::Five(GameState::empty(cards))
    })
}

fn go(words: &[&str]) -> Result<Go, String> {
    let mut go = Go::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        if word == "infinite" {
            go.infinite = true;
            continue;
        }
        let mut number = |most: u64| {
            let given = words.next().copied().unwrap_or_default();
            let number = given.parse::<u64>().ok();
            let number = number.filter(|number| (1..=most).contains(number));
            number
                .ok_or_else(|| format!("go: {word} takes a number from 1 to {most}, not {given:?}"))
        };
        match word {
            "nodes" => go.limits.nodes = Some(number(u64::MAX)?),
            "depth" => go.limits.depth = Some(number(1000)? as u32),
            "movetime" => go.limits.time = Some(Duration::from_millis(number(LONGEST)?)),
            _ => {
                return Err(format!(
                    "go: unknown limit {word:?}; the limits are nodes, movetime, depth and infinite"
                ));
            }
        }
    }
    // Without a limit only `stop` ends the search.
    go.infinite |= go.limits == Limits::default();
    Ok(go)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    #[test]
    fn limits_are_parsed() {
        let Command::Go(go) = parse("go nodes 500 movetime 1500 depth 7") else {
            panic!("it is a search");
        };
        assert_eq!(go.limits.nodes, Some(500));
        assert_eq!(go.limits.time, Some(Duration::from_millis(1500)));
        assert_eq!((go.limits.depth, go.infinite), (Some(7), false));
        for endless in ["go", "  go   infinite ", "go infinite"] {
            assert!(
                matches!(parse(endless), Command::Go(go) if go.infinite),
                "{endless}"
            );
        }
        assert!(matches!(parse("go infinite depth 3"), Command::Go(go) if go.infinite));
    }

    #[test]
    fn ucinewgame_and_newgame_are_the_same() {
        assert_eq!(parse("ucinewgame"), parse("newgame"));
        assert_eq!(Command::parse(" \t "), Ok(None));
        let option = parse("setoption name Eval value my nets/a b.bin");
        let Command::SetOption { name, value } = option else {
            panic!("it is an option");
        };
        assert_eq!((name.as_str(), value.as_str()), ("Eval", "my nets/a b.bin"));
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (line, said) in [
            (
                "dance",
                "unknown command \"dance\"; the commands are uci, isready",
            ),
            ("stop now", "stop: unexpected \"now\""),
            ("go nodes", "nodes takes a number from 1 to"),
            ("go nodes 0", "not \"0\""),
            ("go depth -3", "depth takes a number from 1 to 1000"),
            ("go movetime 99999999999", "from 1 to 86400000"),
            ("go wtime 1000", "unknown limit \"wtime\""),
            ("setoption Hash 5", "use setoption name NAME value VALUE"),
            ("setoption name Hash value", "use setoption"),
            ("position", "use position startpos"),
            ("position fen x", "use position startpos"),
            ("position startpos 7", "after startpos use"),
            ("position startpos Pan Pan", "must differ"),
            ("position startpos Pan Zeus", "Zeus"),
            ("position board 00000", "is not a position"),
            ("position startpos moves b3", "b3"),
            ("position startpos moves b3b3", "b3b3"),
            ("position startpos moves b3d3 d3c4", "d3c4"),
            ("position startpos moves b3d3 c2c4 b3-b5+b4", "b3-b5+b4"),
        ] {
            let error = match Command::parse(line) {
                Ok(Some(Command::Position(refused))) => refused.unwrap_err(),
                parsed => parsed.unwrap_err(),
            };
            assert!(
                error.contains(said) && !error.contains('\n'),
                "{line}: {error}"
            );
        }
    }
}
