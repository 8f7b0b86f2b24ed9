//! Opening books named by options, shared by the commands that play.

use std::path::Path;

use super::CliError;
use super::input::read_input;
use crate::openings::{Openings, boards_of_lines};
use crate::rules::Position;

/// The name of the built-in book.
pub(super) const EVEN: &str = "even";

/// The maximum size of a file of openings, in bytes.
const LARGEST: u64 = 256 << 20;

/// The openings of the built-in book, shuffled by the seed.
///
/// # Errors
/// If the built-in book is invalid, which the tests rule out.
pub(super) fn even_book(seed: u64) -> Result<Openings, CliError> {
    Openings::even(seed).map_err(|error| CliError::failed(EVEN, error))
}

/// The openings of the built-in book with cards, shuffled by the seed.
///
/// # Errors
/// As [`even_book`].
pub(super) fn even_card_book(seed: u64) -> Result<Openings, CliError> {
    Openings::even_with_cards(seed).map_err(|error| CliError::failed(EVEN, error))
}

/// The openings of a file, shuffled by the seed.
///
/// # Errors
/// If it cannot be read, or holds something else.
pub(super) fn file_book(path: &Path, seed: u64) -> Result<Openings, CliError> {
    let openings = Openings::from_lines(&read_input(path, LARGEST)?, seed);
    openings.map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))
}

/// The boards of a file of openings, in their order.
///
/// # Errors
/// As [`file_book`].
pub(super) fn file_boards(path: &Path) -> Result<Vec<Position<5>>, CliError> {
    let boards = boards_of_lines(&read_input(path, LARGEST)?);
    boards.map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))
}

/// The file that `--openings` names; `None` for the built-in book.
pub(super) fn book_file(name: &str) -> Option<&Path> {
    (name != EVEN).then(|| Path::new(name))
}

/// The boards of the built-in book, or of the file with this name.
///
/// # Errors
/// As [`file_book`].
pub(super) fn book_boards(name: &str, seed: u64) -> Result<Vec<Position<5>>, CliError> {
    let book = match book_file(name) {
        None => even_book(seed),
        Some(path) => file_book(path, seed),
    };
    book.map(|book| book.boards())
}
