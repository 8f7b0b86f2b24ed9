//! Requests: what a person can type in one line.

use std::path::PathBuf;

/// The text of `help`.
pub(crate) const HELP: &str = "  c3-c4+b4     play this turn: from c3 to c4, build on b4
               c3-c4# wins; c3xc4+b4 swaps with or pushes the worker on c4;
               c3-c4-d4+e4 moves twice; c3-c4+b4+b4 builds twice;
               c3+b3-c4+b4 builds before moving; c3-c4^b4 builds a dome
  c3, c3-c4    list the legal turns that start like this
  turns        list all legal turns
  hint         show the best turn by the built-in player, with its score, the chance
               of winning and the expected line
  review       judge every turn of the game, with the chance of winning
  rules        show the rules
  cards [NAME] explain the cards of the game, or the named one
  level N      set the level of the opponent
  go [N]       let the opponent move now, or make the next N turns
  undo         take back your last turn
  Enter, next  go one turn forward
  back [N]     go back one turn, or N
  goto N       go to the board with this turn number
  start, end   go to the first or last board
  show         draw the board again
  list         list the turns of the game
  json         show the board in JSON
  save FILE    save the boards in JSON, one on each line, or as a picture
               if FILE ends in .svg; save --force FILE replaces any file
  quit         leave (or Ctrl-D)
";

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Step by this many turns, backwards if negative.
    Step(isize),
    GoTo(u32),
    Start,
    End,
    Show,
    List,
    Json,
    Turns,
    Hint,
    Review,
    Rules,
    /// Explain the cards of the game, or the named one.
    Cards(Option<String>),
    Level(String),
    /// Let the opponent make this many turns.
    Go(u32),
    Undo,
    Save {
        file: PathBuf,
        force: bool,
    },
    Help,
    Quit,
    /// Anything else, perhaps a turn.
    Turn(String),
}

/// The maximum turns of one `go`: more than any game has.
const MOST_TURNS: u32 = 200;

impl Request {
    /// Parses a line.
    ///
    /// # Errors
    /// What is wrong with a known request.
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let number = || match rest {
            "" => Ok(1),
            text => match text.parse() {
                Ok(number) if (1..=MOST_TURNS).contains(&number) => Ok(number),
                _ => Err(format!(
                    "{word} {text}: expected a number from 1 to {MOST_TURNS}"
                )),
            },
        };
        let alone = |request: Self| match rest {
            "" => Ok(request),
            _ => Err(format!(
                "{word} takes no argument; type help to see all requests"
            )),
        };
        match word.to_ascii_lowercase().as_str() {
            "" => Ok(Self::Step(1)),
            "next" | "n" => Ok(Self::Step(number()? as isize)),
            "back" | "b" => Ok(Self::Step(-(number()? as isize))),
            "goto" => match rest.parse() {
                Ok(turn) => Ok(Self::GoTo(turn)),
                Err(_) => Err("goto: expected the turn number of a board".into()),
            },
            "start" => alone(Self::Start),
            "end" => alone(Self::End),
            "show" => alone(Self::Show),
            "list" => alone(Self::List),
            "json" => alone(Self::Json),
            "turns" => alone(Self::Turns),
            "hint" => alone(Self::Hint),
            "review" => alone(Self::Review),
            "rules" => alone(Self::Rules),
            "cards" | "card" => Ok(Self::Cards((!rest.is_empty()).then(|| rest.to_string()))),
            "level" => Ok(Self::Level(rest.to_string())),
            "go" => Ok(Self::Go(number()?)),
            "undo" => alone(Self::Undo),
            "save" => Self::save(rest),
            "help" | "?" => alone(Self::Help),
            "quit" | "q" | "exit" => alone(Self::Quit),
            _ => Ok(Self::Turn(line.to_string())),
        }
    }

    /// Parses the arguments of `save`: a name, perhaps in quotes, and `--force`.
    fn save(rest: &str) -> Result<Self, String> {
        let forced = rest.strip_prefix("--force ");
        let forced = forced.or_else(|| rest.strip_suffix(" --force"));
        let name = forced.unwrap_or(rest).trim();
        let quoted = name.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
        match quoted.unwrap_or(name) {
            name if name.is_empty() || name.starts_with("--") => {
                Err("save: expected the name of a file; --force before it replaces any file".into())
            }
            name => Ok(Self::Save {
                file: name.into(),
                force: forced.is_some(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn save(file: &str, force: bool) -> Request {
        let file = file.into();
        Request::Save { file, force }
    }

    #[test]
    fn requests_are_parsed() {
        for (line, request) in [
            ("", Request::Step(1)),
            ("  next 3 ", Request::Step(3)),
            ("b", Request::Step(-1)),
            ("BACK 2", Request::Step(-2)),
            ("goto 0", Request::GoTo(0)),
            ("go", Request::Go(1)),
            ("review", Request::Review),
            ("cards", Request::Cards(None)),
            ("card pan", Request::Cards(Some("pan".into()))),
            ("level 3", Request::Level("3".into())),
            ("save my game.svg", save("my game.svg", false)),
            ("save \"my game.svg\"", save("my game.svg", false)),
            ("save --force a.json", save("a.json", true)),
            ("save a.json --force", save("a.json", true)),
            ("?", Request::Help),
            ("c3-c4+b4", Request::Turn("c3-c4+b4".into())),
            ("C3 - C4 + B4", Request::Turn("C3 - C4 + B4".into())),
            ("castle", Request::Turn("castle".into())),
        ] {
            assert_eq!(Request::read(line), Ok(request), "{line:?}");
        }
        for line in [
            "back 0",
            "back x",
            "next 999",
            "goto",
            "goto -1",
            "save",
            "save --force",
            "save --forced a.json",
            "save \"\"",
            "quit now",
        ] {
            assert!(Request::read(line).is_err(), "{line:?}");
        }
    }
}
