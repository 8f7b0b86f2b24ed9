//! Positions and turns in words: for people, and for language models, which write turns
//! in many ways.

use std::fmt::Write;

use pyo3::prelude::*;
use santorini::draw::Seat;
use santorini::rules::{
    Extra, Position, Square, Turn, TurnTextError, parse_square, square_text, words,
};

use crate::board::Board;
use crate::convert::{turn_names, wrong};
use crate::illegal::IllegalTurn;

/// The letters of the workers of player 0 and player 1.
const LETTERS: [char; 2] = ['A', 'B'];

/// The squares named in a text, in order.
pub fn squares<const N: usize>(text: &str) -> Vec<Square> {
    let bytes = text.to_ascii_lowercase().into_bytes();
    let at = |index: usize| bytes.get(index).copied().unwrap_or(b' ');
    let mut found = Vec::new();
    for index in 0..bytes.len().saturating_sub(1) {
        let before = index.checked_sub(1).map_or(b' ', at);
        // The x of a move onto a worker is not part of a word.
        let begins = !before.is_ascii_alphabetic() || before == b'x';
        if !begins || at(index + 2).is_ascii_digit() {
            continue;
        }
        let name = std::str::from_utf8(&bytes[index..index + 2]);
        found.extend(name.ok().and_then(parse_square::<N>));
    }
    found
}

/// Words for two levels at once on a space.
const TWICE: [&str; 4] = ["twice", "double build", "double-build", "build double"];

/// The same, after "build".
const TWO: [&str; 4] = ["two levels", "two blocks", "two floors", "two times"];

/// Whether a text in small letters has a word that is not negated, as in "no dome" or
/// "without a dome".
fn says(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let is_letter = |letter: char| letter.is_ascii_alphabetic() || letter == '\'';
        let words = text[..at].rsplit(|letter| !is_letter(letter));
        let before = words
            .filter(|word| !word.is_empty())
            .find(|word| !matches!(*word, "a" | "any"));
        !before
            .is_some_and(|word| matches!(word, "no" | "not" | "without") || word.ends_with("n't"))
    })
}

/// What a free text says about a turn.
struct FreeText {
    squares: Vec<Square>,
    /// The same without repetitions, as in "c3 to c4, from c4 build b4".
    once: Vec<Square>,
    says_dome: bool,
    /// Whether it says that two levels are built on one space, as in "build twice on b4".
    says_twice: bool,
}

impl FreeText {
    fn read<const N: usize>(text: &str) -> Self {
        let squares = squares::<N>(text);
        let mut once = squares.clone();
        once.dedup();
        let words = text.to_ascii_lowercase();
        let built = words.find("build").map_or("", |at| &words[at..]);
        Self {
            squares,
            once,
            says_dome: words.contains('^') || says(&words, "dome"),
            says_twice: TWICE.iter().any(|word| says(&words, word))
                || TWO.iter().any(|word| says(built, word)),
        }
    }

    /// How well a turn fits the text, 0 best; `None` if it does not.
    fn fit<const N: usize>(&self, position: &Position<N>, turn: Turn) -> Option<usize> {
        let spellings = position.spellings(turn);
        let names = spellings.iter().map(|turn| turn.text::<N>().to_string());
        let fits = |wanted: &[Square], names: &[Vec<Square>]| {
            names
                .iter()
                .any(|name| name == wanted || turn.wins() && wanted.get(..name.len()) == Some(name))
        };
        let mut names: Vec<_> = names.map(|name| squares::<N>(&name)).collect();
        // Two levels on one space may be written with the space once.
        let is_twice = (turn.build()).is_some_and(|on| turn.extra() == Extra::SecondBuild(on));
        if is_twice {
            let short = names.iter().map(|name| name[..name.len() - 1].to_vec());
            names.extend(short.collect::<Vec<_>>());
        }
        let rank = match (fits(&self.squares, &names), fits(&self.once, &names)) {
            (true, _) => 0,
            (false, true) => 4,
            _ => return None,
        };
        let differs = [
            turn.is_dome() != self.says_dome,
            is_twice != self.says_twice,
        ];
        Some(rank + differs.into_iter().map(usize::from).sum::<usize>())
    }
}

impl<const N: usize> Board<N> {
    /// The legal turn in a text that has the notation of exactly one turn, as in "I play
    /// c3-c4+b4.".
    fn quoted_turn(&self, text: &str) -> Option<Turn> {
        let is_notation = |letter: char| letter.is_ascii_alphanumeric() || "-+^#".contains(letter);
        let words = text.split(|letter| !is_notation(letter));
        let read = |word: &str| match self.position.read_turn(word) {
            Ok(turn) => Some(Some(turn)),
            Err(TurnTextError::Illegal { .. }) if word.contains(['+', '^']) => Some(None),
            Err(_) => None,
        };
        let turns: Vec<_> = words.filter_map(read).collect();
        let first = *turns.first()?;
        first.filter(|_| turns.iter().all(|turn| *turn == first))
    }

    /// The legal turn that a free text means.
    pub fn parse_turn(&self, text: &str) -> PyResult<Turn> {
        let strict = match self.read_turn(text) {
            Ok(turn) => return Ok(turn),
            Err(error) => error,
        };
        if !self.is_won()
            && let Some(turn) = self.quoted_turn(text)
        {
            return Ok(turn);
        }
        let said = FreeText::read::<N>(text);
        let ranked = |turn| Some((said.fit(&self.position, turn)?, turn));
        let mut turns: Vec<_> = self.turns().into_iter().filter_map(ranked).collect();
        turns.sort_by_key(|(rank, _)| *rank);
        match turns[..] {
            [(_, turn)] => return Ok(turn),
            [(best, turn), (next, _), ..] if best < next => return Ok(turn),
            [] => {}
            _ => {
                let name = |(_, turn): &(usize, Turn)| turn.text::<N>().to_string();
                let names: Vec<_> = turns.iter().map(name).collect();
                let why = format!("turn: the text means one of {}", names.join(", "));
                return Err(wrong(why));
            }
        }
        let is_illegal = Python::attach(|py| strict.is_instance_of::<IllegalTurn>(py));
        match (&said.once[..], is_illegal) {
            ([from, to, builds @ ..], false) => {
                let [from, to] = [from, to].map(|&square| square_text::<N>(square));
                let mut plain = format!("{from}-{to}");
                for &build in builds {
                    plain.push('+');
                    plain.push_str(&square_text::<N>(build));
                }
                self.read_turn(&plain)
            }
            _ => Err(strict),
        }
    }

    /// The board in words.
    pub fn description(&self, with_turns: bool) -> String {
        let mut text = String::new();
        let last = (b'a' + N as u8 - 1) as char;
        let position = &self.position;
        let mover = position.player();
        _ = writeln!(
            text,
            "Santorini on {N}x{N} spaces: columns a to {last} from left to right, rows 1 to {N} from top to bottom."
        );
        _ = writeln!(
            text,
            "A number is a level, 4 a dome; A is a worker of player 0, B one of player 1.\n"
        );
        self.draw_table(&mut text);
        if let Some(cards) = self.seat_cards() {
            for (seat, card) in cards.into_iter().enumerate() {
                let rule = words::card(card);
                _ = writeln!(text, "Player {seat} has {}. {rule}", card.name());
            }
        }
        if let Some(winner) = self.winner() {
            _ = writeln!(text, "The game is over: player {} has won.", winner as u8);
            return text;
        }
        _ = writeln!(text, "Player {mover} ({}) is to move.", LETTERS[mover]);
        if with_turns {
            text.push_str(
                "A turn such as c3-c4+b4 moves the worker on c3 to c4 and builds on b4; # marks a win.\n",
            );
            let names = turn_names::<N>(&self.turns());
            _ = writeln!(text, "Legal turns: {}", names.join(" "));
        }
        text
    }

    fn draw_table(&self, text: &mut String) {
        text.push(' ');
        for column in 0..N {
            _ = write!(text, "  {} ", (b'a' + column as u8) as char);
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        let workers = Seat::BOTH.map(|seat| self.position.workers(seat.side(&self.position)));
        for row in 0..N {
            _ = write!(text, "{}", row + 1);
            for column in 0..N {
                let square = Square::at::<N>(row, column);
                let seat = workers.iter().position(|set| set.has(square));
                let letter = seat.map_or(' ', |seat| LETTERS[seat]);
                _ = write!(text, "  {}{letter}", self.position.level(square));
            }
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
        text.push('\n');
    }
}
