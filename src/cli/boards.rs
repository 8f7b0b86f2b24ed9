//! Boards and games read from a file, and the style of boards in text.

use std::path::Path;

use serde_json::{Value, json};

use super::CliError;
use super::input::{name_of, open};
use super::output::say;
use crate::draw::{AnyScene, AnySource, Scene, Style};
use crate::protocol::stream::ValueReader;
use crate::rules::AnySize;

/// The game that a board belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct GameNumber {
    /// The number of games in the input up to this one, included.
    pub count: u64,
    /// Its own number in the file, if it has one.
    pub number: Option<u64>,
}

impl GameNumber {
    /// The number shown to people: its own number, or else the count.
    pub(super) fn name(self) -> u64 {
        self.number.unwrap_or(self.count)
    }
}

/// Reads a file, or standard input for `-`, and calls `hand_out` with each board as
/// soon as it is read: all boards, or the boards of the game `wanted`.
pub(super) fn for_each_board(
    file: &Path,
    wanted: Option<u64>,
    mut hand_out: impl FnMut(AnyScene, &GameNumber) -> Result<(), CliError>,
) -> Result<(), CliError> {
    for_each_value(file, wanted, |_, scenes, game| {
        scenes
            .into_iter()
            .try_for_each(|scene| hand_out(scene, game))
    })
}

/// The same, for each JSON value with its boards.
fn for_each_value(
    file: &Path,
    wanted: Option<u64>,
    mut hand_out: impl FnMut(Value, Vec<AnyScene>, &GameNumber) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let name = name_of(file);
    let mut reader = ValueReader::new(open(file)?);
    let mut source = AnySource::default();
    let mut game = GameNumber::default();
    let read = |error| CliError::failed(&name, error);
    while let Some(found) = reader.read().map_err(read)? {
        let framed = match found {
            Ok(framed) => framed,
            // A killed program may have left its last line unfinished.
            Err(bad) if game.count > 0 && reader.read().map_err(read)?.is_none() => {
                say(&format!(
                    "{name}: {bad}: skipped the last line, which is damaged"
                ));
                break;
            }
            Err(bad) => return Err(CliError::Usage(format!("{name}: {bad}"))),
        };
        let at = framed.at;
        let bad = |cause| CliError::Usage(format!("{name}: {at}: {cause}"));
        let boards = source.add(&framed.value).map_err(bad)?;
        if boards.begins {
            let was_wanted = game.count > 0 && wanted == Some(game.name());
            if was_wanted {
                break;
            }
            game = GameNumber {
                count: game.count + 1,
                number: boards.number,
            };
        }
        if wanted.is_none_or(|wanted| wanted == game.name()) {
            hand_out(framed.value, boards.scenes, &game)?;
        }
    }
    Ok(())
}

/// The maximum size of the games in [`game_lines`], in bytes.
const MOST_BYTES: usize = 64 << 20;

/// The games of a file, or the game `wanted`, one on each line: its record, or
/// `{"boards":[...]}`.
pub(super) fn game_lines(file: &Path, wanted: Option<u64>) -> Result<String, CliError> {
    let mut lines = String::new();
    // The boards of a game whose boards are separate values.
    let mut single: Option<(GameNumber, Vec<Value>)> = None;
    let mut add = |value: &Value| {
        lines += &format!("{value}\n");
        if lines.len() <= MOST_BYTES {
            return Ok(());
        }
        Err(CliError::Usage(format!(
            "{}: more than {} MiB of games; choose one with --game N",
            name_of(file),
            MOST_BYTES >> 20
        )))
    };
    let whole = |boards: Vec<Value>| json!({ "boards": boards });
    for_each_value(file, wanted, |value, scenes, game| {
        if scenes.is_empty() {
            return Ok(());
        }
        let is_single = value.get("spaces").is_some();
        if let Some((_, boards)) = single.take_if(|(last, _)| !is_single || *last != *game) {
            add(&whole(boards))?;
        }
        if is_single {
            single.get_or_insert((*game, Vec::new())).1.push(value);
            return Ok(());
        }
        add(&value)
    })?;
    if let Some((_, boards)) = single {
        add(&whole(boards))?;
    }
    Ok(lines)
}

/// Receives a board and the number of its game.
type AddBoard<'a> = dyn FnMut(AnyScene, &GameNumber) -> Result<(), CliError> + 'a;

/// The boards of a game, in order.
pub(super) type GameScenes = AnySize<Vec<Scene<5>>, Vec<Scene<6>>>;

/// The boards of the only game of a file, or of the game `wanted`.
pub(super) fn one_game(file: &Path, wanted: Option<u64>) -> Result<GameScenes, CliError> {
    only_game(file, |add| for_each_board(file, wanted, add))
}

/// Collects the boards that `read` passes on.
///
/// # Errors
/// If they are of several games, or `read` fails.
pub(super) fn only_game(
    file: &Path,
    read: impl FnOnce(&mut AddBoard<'_>) -> Result<(), CliError>,
) -> Result<GameScenes, CliError> {
    let mut scenes = Vec::new();
    let mut game = None;
    read(&mut |scene, this| {
        if game.is_some_and(|game| game != *this) {
            return Err(CliError::Usage(format!(
                "{}: more than one game; choose one with --game N",
                name_of(file)
            )));
        }
        game = Some(*this);
        scenes.push(scene);
        Ok(())
    })?;
    let scenes = scenes.into_iter();
    Ok(match scenes.as_slice() {
        [AnyScene::Six(_), ..] => AnySize::Six(scenes.filter_map(AnyScene::six).collect()),
        _ => AnySize::Five(scenes.filter_map(AnyScene::five).collect()),
    })
}

/// Why a game has no board: it may have been lost while workers were placed.
pub(super) const NO_BOARDS: &str =
    "there is no such game, or it ended before its first board (see `why` in its record)";

/// The style of boards in text.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum StyleChoice {
    /// Choose by the output.
    Auto,
    /// ASCII only.
    Ascii,
    /// Box-drawing characters, no colour.
    Unicode,
    /// In colour, three lines for a space.
    Colour,
    /// In colour, five lines for a space.
    Large,
}

impl StyleChoice {
    /// The style of this choice.
    pub(super) fn style(self) -> Style {
        match self {
            Self::Auto => Style::for_stdout(),
            Self::Ascii => Style::Ascii,
            Self::Unicode => Style::Unicode,
            Self::Colour => Style::Colour,
            Self::Large => Style::LargeColour,
        }
    }

    /// The same for a single board of `size` rows: with `auto`, boards in colour are as
    /// large as the terminal allows.
    pub(super) fn style_for_one(self, size: usize) -> Style {
        match (self, self.style(), terminal_size::terminal_size()) {
            (Self::Auto, Style::Colour, Some((width, height))) => {
                largest(size, usize::from(width.0), usize::from(height.0))
            }
            (_, style, _) => style,
        }
    }
}

/// The largest style for boards of `size` rows on a terminal of this size in characters.
fn largest(size: usize, width: usize, height: usize) -> Style {
    // The names of rows and columns, and the text above and below the board.
    let fits =
        |columns: usize, lines: usize| width >= size * columns + 3 && height >= size * lines + 9;
    if fits(11, 5) {
        Style::LargeColour
    } else if fits(7, 3) {
        Style::Colour
    } else {
        Style::Unicode
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_as_large_as_the_terminal_allows() {
        for (size, width, height, style) in [
            (5, 80, 34, Style::LargeColour),
            (5, 50, 60, Style::Colour),
            (5, 80, 24, Style::Colour),
            (6, 80, 38, Style::Colour),
            (6, 80, 24, Style::Unicode),
        ] {
            assert_eq!(
                largest(size, width, height),
                style,
                "{size} {width} {height}"
            );
        }
    }
}
