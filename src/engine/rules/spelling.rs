//! Reading turns in every spelling. With cards some turns can be written in several
//! ways that lead to the same board; the generator makes one of them.
//!
//! | card | what can be written in several ways |
//! |---|---|
//! | Artemis | the space between two moves; one move as two |
//! | Demeter | the order of two builds |
//! | Prometheus | the builds before and after the move, exchanged |
//!
//! A dome on level 3 may be written `^`, a move `-` or `x`, and a win without `#`. Only a move
//! may end with `#`.

use super::bitboard::{Geometry, Square};
use super::card::Building;
use super::position::{CAP, Position, Side};
use super::turn::{Extra, Turn, TurnError, parse_square};
use crate::printable::excerpt;

/// Why a text is not a turn that can be played.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnTextError {
    /// The text does not have the form of a turn.
    #[error(transparent)]
    Form(#[from] TurnError),
    /// The text is a turn, but not one of this position.
    #[error("{turn} is not legal on the board {board}")]
    Illegal {
        /// The turn as given.
        turn: String,
        /// The position as text.
        board: String,
    },
}

/// No turn has more characters. An error shows at most this many of a text that is not a turn.
pub const LONGEST_TURN: usize = 40;

impl<const N: usize> Position<N> {
    /// The legal turn that a text means, in the form that [`Position::turns`] gives.
    /// White space and capital letters do not matter.
    ///
    /// ```
    /// use santorini::rules::Position;
    /// let board = "00000/00000/00000/00000/00000 b2d3 c4e5 0 Demeter Pan";
    /// let position: Position<5> = board.parse().unwrap();
    /// let turn = position.read_turn(" B2-a1+a2+b1 ").unwrap();
    /// assert_eq!(turn.text::<5>().to_string(), "b2-a1+b1+a2");
    /// ```
    ///
    /// # Errors
    /// If the text is not a turn, or the turn is not legal.
    pub fn read_turn(&self, text: &str) -> Result<Turn, TurnTextError> {
        // As other programs write it.
        if let Ok(turn) = Turn::parse::<N>(text)
            && self.legal_turn(|legal| legal == turn).is_some()
        {
            return Ok(turn);
        }
        let shown = || excerpt(text.trim(), LONGEST_TURN);
        let turn = Turn::parse::<N>(&self.plain_turn_text(text))
            .map_err(|_| TurnTextError::Form(TurnError(shown())))?;
        let is_it = |legal: Turn| {
            legal.without_displacing() == turn
                || (legal.from(), legal.to()) == (turn.from(), turn.to())
                    && self.spellings(legal).contains(&turn)
        };
        self.legal_turn(is_it)
            .ok_or_else(|| TurnTextError::Illegal {
                turn: shown(),
                board: self.to_string(),
            })
    }

    /// All ways to write a legal turn, itself first: legal turns that lead to the same
    /// board.
    pub fn spellings(&self, turn: Turn) -> Vec<Turn> {
        let mut all = vec![turn];
        let power = self.power(Side::Mover);
        let plain = || match turn.build() {
            None => Turn::winning(turn.from(), turn.to()),
            Some(build) => Turn::winning(turn.from(), turn.to()).building(build),
        };
        if power.moves_twice {
            let routes = self.routes(turn).into_iter();
            let turns = routes.map(|via| plain().with_extra(Extra::Via(via)));
            all.extend(turns.filter(|&other| other != turn));
        }
        if let Some(other) = self.with_builds_exchanged(turn, power.building) {
            all.push(other);
        }
        all
    }

    /// The spaces in between for two moves that reach the end of a legal turn, and win if
    /// it wins.
    fn routes(&self, turn: Turn) -> Vec<Square> {
        let (from, to) = (turn.from(), turn.to());
        let leads = |&via: &Square| {
            via != to
                && !self.step_wins(from, via)
                && self.steps(via).has(to)
                && self.step_wins(via, to) == turn.wins()
        };
        self.steps(from).filter(leads).collect()
    }

    /// The turn with its two builds exchanged, if that is another legal turn.
    fn with_builds_exchanged(&self, turn: Turn, building: Building) -> Option<Turn> {
        let (from, to, last) = (turn.from(), turn.to(), turn.build()?);
        let exchanged = |first| Turn::winning(from, to).building(first);
        match turn.extra() {
            Extra::SecondBuild(second) if building == Building::OrTwoSpaces => {
                Some(exchanged(second).with_extra(Extra::SecondBuild(last)))
            }
            Extra::FirstBuild(first) if first != last => {
                let near = |square: Square| Geometry::<N>::NEIGHBOURS[square.index()];
                let can = near(from).has(last) && near(to).has(first);
                can.then(|| exchanged(first).with_extra(Extra::FirstBuild(last)))
            }
            _ => None,
        }
    }

    /// The text of a turn with `-` for every move, and `+` for each `^` on level 3, where
    /// both mean a dome.
    fn plain_turn_text(&self, text: &str) -> String {
        let mut plain = plain_text(text);
        let signs: Vec<(usize, char)> = (plain.char_indices())
            .filter(|(_, sign)| "-+^".contains(*sign))
            .collect();
        let mut built = Vec::new();
        for &(at, sign) in &signs {
            let square = plain.get(at + 1..at + 3).and_then(parse_square::<N>);
            let Some(square) = square.filter(|_| sign != '-') else {
                continue;
            };
            let before = built.iter().filter(|&&other| other == square).count();
            if usize::from(self.level(square)) + before + 1 == usize::from(CAP) {
                plain.replace_range(at..=at, "+");
            }
            built.push(square);
        }
        if signs.last().is_some_and(|&(_, sign)| sign == '-') || claims_win(text) {
            plain.push('#');
        }
        plain
    }
}

/// Whether a text ends with the sign of a win.
pub(crate) fn claims_win(text: &str) -> bool {
    text.trim_end().ends_with('#')
}

/// The text without white space and without the `#` of a win, in lower case, with `-` for
/// every move. It is cut to a length that no turn exceeds.
pub(crate) fn plain_text(text: &str) -> String {
    let signs = text.chars().filter(|sign| !sign.is_whitespace());
    let plain = signs.map(|sign| match sign.to_ascii_lowercase() {
        'x' => '-',
        sign => sign,
    });
    let mut plain: String = plain.take(LONGEST_TURN).collect();
    if plain.ends_with('#') {
        plain.pop();
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(board: &str, text: &str) -> Result<String, String> {
        let position: Position<5> = board.parse().unwrap();
        let turn = position.read_turn(text);
        turn.map(|turn| turn.text::<5>().to_string())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn every_spelling_of_a_turn_is_read() {
        let empty = "00000/00000/00000/00000/00000";
        for (levels, rest, text, turn) in [
            (
                empty,
                "b2d3 c4e5 0 Demeter Pan",
                "b2-a1+a2+b1",
                "b2-a1+b1+a2",
            ),
            (
                empty,
                "b2d3 c4e5 0 Demeter Pan",
                "\tB2 - A1+a2 + b1\n",
                "b2-a1+b1+a2",
            ),
            (
                empty,
                "b2d3 c4e5 0 Artemis Pan",
                "b2-b3-a4+a3",
                "b2-a3-a4+a3",
            ),
            (empty, "b2d3 c4e5 0 Artemis Pan", "b2-a2-a1+b1", "b2-a1+b1"),
            (
                empty,
                "b2d3 c4e5 0 Prometheus Pan",
                "b2+b1-a1+a2",
                "b2+b1-a1+a2",
            ),
            (
                empty,
                "b2d3 c4e5 0 Prometheus Pan",
                "b2+a2-a1+b1",
                "b2+b1-a1+a2",
            ),
            (empty, "b2d3 c2e5 0 Apollo Pan", "b2-c2+c1", "b2xc2+c1"),
            (empty, "b2d3 c4e5 0", "b2xa1+b1", "b2-a1+b1"),
            (
                "30000/00000/00000/00000/00000",
                "b2d3 c4e5 0",
                "b2-b1^a1",
                "b2-b1+a1",
            ),
            (
                "20000/00000/00000/00000/00000",
                "b2d3 c4e5 0 Atlas Pan",
                "b2-b1^a1",
                "b2-b1^a1",
            ),
            (
                "32000/00000/00000/00000/00000",
                "b1d3 c4e5 0",
                "b1-a1",
                "b1-a1#",
            ),
        ] {
            assert_eq!(
                read(&format!("{levels} {rest}"), text),
                Ok(turn.into()),
                "{text}"
            );
        }
    }

    #[test]
    fn an_illegal_way_to_a_legal_board_is_refused() {
        for (board, text) in [
            // The space on the way is too high, or occupied. Another way leads to a2.
            (
                "00000/02000/00000/00000/00000 c3e1 c2e5 0 Artemis Pan",
                "c3-b2-a2+a1",
            ),
            (
                "00000/00000/00000/00000/00000 c3e1 b2e5 0 Artemis Pan",
                "c3-b2-a2+a1",
            ),
            // Two builds after the move, where one comes before it.
            (
                "00000/00000/00000/00000/00000 b2d3 c4e5 0 Prometheus Pan",
                "b2-a1+a2+b1",
            ),
            ("20000/00000/00000/00000/00000 b2d3 c4e5 0", "b2-b1^a1"),
        ] {
            let error = read(board, text).unwrap_err();
            assert!(
                error.contains("is not legal on the board"),
                "{text}: {error}"
            );
        }
    }

    #[test]
    fn only_a_move_may_end_with_the_sign_of_a_win() {
        let board = "32000/00000/00000/00000/00000 b1d3 c4e5 0";
        assert_eq!(read(board, "B1 - a1 #"), Ok("b1-a1#".into()));
        for text in ["b1-b2+b1#", "b1-b2+b1##", "b1-a1##", "b1#-a1", "#b1-a1"] {
            let error = read(board, text).unwrap_err();
            assert!(error.contains("is not a turn"), "{text}: {error}");
        }
    }

    #[test]
    fn errors_show_the_beginning_of_a_long_text() {
        let board = "00000/00000/00000/00000/00000 b2d3 c4e5 0";
        let error = read(board, &"é".repeat(100_000)).unwrap_err();
        assert!(
            error.contains("é…\" is not a turn") && error.len() < 300,
            "{error}"
        );
    }
}
