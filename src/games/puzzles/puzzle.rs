//! A puzzle and its text form: a position, its only winning turn, and the plies to the win.
//!
//! ```text
//! 00021/01231/00320/00110/00000 c2d4 b3e3 25: c2-c3# win in 1
//! ```

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use crate::digits::parse_digits;
use crate::printable::excerpt;
use crate::rules::{Position, PositionTextError, Turn, TurnTextError};

/// A position in which exactly one turn wins; every other one loses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Puzzle<const N: usize> {
    /// The position to solve; the winner is to move.
    pub position: Position<N>,
    /// The only winning turn.
    pub solution: Turn,
    /// The number of plies in which the win is forced: an odd number, the winner's turns
    /// and the replies between them.
    pub plies: u32,
}

impl<const N: usize> Puzzle<N> {
    /// The grade: the number of the winner's turns. A puzzle of grade 1 is won with a
    /// single turn.
    pub const fn grade(&self) -> u32 {
        self.plies.div_ceil(2)
    }
}

impl<const N: usize> fmt::Display for Puzzle<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let solution = self.solution.text::<N>();
        write!(f, "{}: {solution} win in {}", self.position, self.plies)
    }
}

/// Why a text is not a puzzle.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum PuzzleError {
    /// The parts around the position and the turn are missing.
    #[error("{0:?} is not a puzzle; one looks like POSITION: c2-c3+c4 win in 3")]
    Form(String),
    /// The position cannot be parsed.
    #[error(transparent)]
    Position(#[from] PositionTextError),
    /// The solution is not a legal turn of the position.
    #[error(transparent)]
    Turn(#[from] TurnTextError),
}

impl<const N: usize> FromStr for Puzzle<N> {
    type Err = PuzzleError;

    fn from_str(text: &str) -> Result<Self, PuzzleError> {
        let form = || PuzzleError::Form(excerpt(text, 100));
        let (position, rest) = text.split_once(": ").ok_or_else(form)?;
        let (turn, plies) = rest.split_once(" win in ").ok_or_else(form)?;
        let position: Position<N> = position.parse()?;
        let solution = position.read_turn(turn)?;
        let plies: u32 = parse_digits(plies).ok_or_else(form)?;
        if plies.is_multiple_of(2) {
            return Err(form());
        }
        Ok(Self {
            position,
            solution,
            plies,
        })
    }
}

/// Reads puzzles, one per line; empty lines and lines that begin with `#` are skipped.
///
/// # Errors
/// The number of the first invalid line, and why it is invalid.
pub fn parse_puzzles<const N: usize>(text: &str) -> Result<Vec<Puzzle<N>>, (usize, PuzzleError)> {
    let lines = text.lines().map(str::trim).enumerate();
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(index, line)| line.parse().map_err(|error| (index + 1, error)))
        .collect()
}

/// The built-in puzzles on 5x5 spaces, without and with cards, easiest first.
pub fn built_in() -> &'static [Puzzle<5>] {
    static PUZZLES: LazyLock<Vec<Puzzle<5>>> = LazyLock::new(|| {
        parse_puzzles(include_str!("built_in.txt")).expect("the file in the repository has puzzles")
    });
    &PUZZLES
}

/// The built-in puzzles on 6x6 spaces, easiest first.
pub fn built_in_six() -> &'static [Puzzle<6>] {
    static PUZZLES: LazyLock<Vec<Puzzle<6>>> = LazyLock::new(|| {
        let text = include_str!("built_in_6x6.txt");
        parse_puzzles(text).expect("the file in the repository has puzzles")
    });
    &PUZZLES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzles_read_back_and_errors_say_what_is_wrong() {
        let text = "00000/00030/00200/00000/00032 a1c3 e1e5 10: c3-d2# win in 1";
        let puzzle: Puzzle<5> = text.parse().unwrap();
        assert_eq!(puzzle.to_string(), text);
        assert_eq!((puzzle.plies, puzzle.grade()), (1, 1));
        let commented = format!("# made\n\n  # by hand\n {text} \n");
        assert_eq!(parse_puzzles(&commented), Ok(vec![puzzle]));
        let read = |text: &str| text.parse::<Puzzle<5>>().unwrap_err();
        let spelled = text.replace("c3-d2#", "C3xD2").parse();
        assert_eq!(spelled, Ok(puzzle));
        assert!(matches!(read("c3-d2#"), PuzzleError::Form(_)));
        assert!(matches!(
            read(&text.replace("in 1", "in 2")),
            PuzzleError::Form(_)
        ));
        assert!(matches!(
            read(&text.replace("d2#", "d1#")),
            PuzzleError::Turn(_)
        ));
        assert!(matches!(
            read(&text.replace("a1c3", "c3c3")),
            PuzzleError::Position(_)
        ));
        let (line, _) = parse_puzzles::<5>(&format!("{text}\nnonsense")).unwrap_err();
        assert_eq!(line, 2);
    }
}
