//! Books of openings that options name, shared by the subcommands that play.

use std::path::Path;

use super::CliError;
use super::input::read_input;
use crate::openings::{Openings, boards_of_lines};
use crate::rules::Position;

/// The name of the built-in book.
pub const EVEN: &str = "even";

/// The largest file of openings that is read, in bytes.
const LARGEST: u64 = 256 << 20;

/// The openings of the built-in book, in an order of the seed.
///
/// # Errors
/// Not in a program whose tests have passed.
pub fn even_book(seed: u64) -> Result<Openings, CliError> {
    Openings::even(seed).map_err(|error| CliError::failed(EVEN, error))
}

/// The openings of the built-in book with cards, in an order of the seed.
///
/// # Errors
/// As [`even_book`].
pub fn even_card_book(seed: u64) -> Result<Openings, CliError> {
    Openings::even_with_cards(seed).map_err(|error| CliError::failed(EVEN, error))
}

/// The openings of a file, in an order of the seed.
///
/// # Errors
/// If it cannot be read, or holds something else.
pub fn file_book(path: &Path, seed: u64) -> Result<Openings, CliError> {
    let openings = Openings::from_lines(&read_input(path, LARGEST)?, seed);
    openings.map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))
}

/// The boards of a file of openings, in their order.
///
/// # Errors
/// As [`file_book`].
pub fn file_boards(path: &Path) -> Result<Vec<Position<5>>, CliError> {
    let boards = boards_of_lines(&read_input(path, LARGEST)?);
    boards.map_err(|error| CliError::Usage(format!("{}: {error}", path.display())))
}

/// The file that a name of openings stands for; `None` for the built-in book.
pub fn book_file(name: &str) -> Option<&Path> {
    (name != EVEN).then(|| Path::new(name))
}

/// The boards of the built-in book, if it is named, or of the file with this
/// name.
///
/// # Errors
/// As [`file_book`].
pub fn book_boards(name: &str, seed: u64) -> Result<Vec<Position<5>>, CliError> {
    let book = match book_file(name) {
        None => even_book(seed),
        Some(path) => file_book(path, seed),
    };
    book.map(|book| book.boards())
}
