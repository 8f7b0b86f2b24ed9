//! Positions for Python.

use std::hash::{DefaultHasher, Hash, Hasher};

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyList;
use santorini::at_size;
use santorini::draw::{PictureOptions, Style};
use santorini::protocol::exchange::{read_any_board, write_board};
use santorini::rules::AnyPosition;

use crate::argument::{self, Argument, Names, whole, whole_or};
use crate::array::list_array;
use crate::board::{AnyBoard, Board};
use crate::convert::{card_names, read_cards, write_json};
use crate::interruptible::{Token, stoppable, stopped};
use crate::solved::read_game;
use crate::solved_position::text_on;
use crate::symmetry::read_symmetry;
use crate::view;

/// A position: levels, workers, cards and the player to move. It is immutable; `play`
/// returns the next one.
///
/// >>> Position("00000/00010/00000/00000/00000 b3d3 c2c4 1").to_move
/// 1
///
/// A position made by `play` also knows the turn that led to it. In games with cards,
/// only that turn shows whether the game is won. Two positions are equal if their
/// boards are equal; the last turn does not count.
///
/// Notebooks show a position as a picture.
///
/// The text is one line, as `str` writes it: the levels row by row, the workers of the
/// player to move and of the opponent, the number of turns played, and both cards if
/// there are any. Raises ValueError if the text is not a position.
#[pyclass(frozen, module = "santorini", from_py_object)]
#[derive(Clone)]
pub struct Position(pub AnyBoard);

impl<const N: usize> From<Board<N>> for Position
where
    AnyBoard: From<Board<N>>,
{
    fn from(board: Board<N>) -> Self {
        Self(board.into())
    }
}

impl From<AnyPosition> for Position {
    fn from(position: AnyPosition) -> Self {
        at_size!(position, position => Board::from(position).into())
    }
}

impl Position {
    /// Checks that the game of the named argument is not over.
    pub fn check_unfinished(&self, name: &str) -> PyResult<()> {
        if self.is_over() {
            let why = format!("the game is over: {}", self.text());
            return Err(argument::wrong(name, why));
        }
        Ok(())
    }

    /// Whether the players have cards.
    pub fn has_cards(&self) -> bool {
        at_size!(&self.0, board => board.has_cards())
    }

    /// Whether a turn has won the game.
    pub fn is_won(&self) -> bool {
        at_size!(&self.0, board => board.is_won())
    }

    /// The position as one line of text.
    pub fn text(&self) -> String {
        at_size!(&self.0, board => board.position.to_string())
    }

    /// The position after a turn in notation.
    pub fn played(&self, turn: &str) -> PyResult<Self> {
        Ok(at_size!(&self.0, board => board.after(board.read_turn(turn)?).into()))
    }
}

/// Reads a position.
fn read_text(text: &str) -> PyResult<Position> {
    let position = text.parse::<AnyPosition>();
    let position = position.map_err(|error| argument::wrong("text", error))?;
    Ok(position.into())
}

/// Maximum depth counted without a way to interrupt it.
const LITTLE_DEPTH: u32 = 2;

/// The description of a board in JSON, for errors.
const BOARD: &str = "a board in JSON (str), or the dict that json.loads gives for it";

/// A Python function and its arguments, as `__reduce__` returns them.
type Again<'py> = (Bound<'py, PyAny>, (String, Option<String>));

#[pymethods]
impl Position {
    #[new]
    fn new(text: &Argument<'_>) -> PyResult<Self> {
        read_text(&argument::text("text", text)?)
    }

    /// The start of a game, after both players have placed their workers.
    ///
    /// >>> Position.start(("b3", "d3"), ("c2", "c4"), cards=("Pan", "Atlas"))
    /// santorini.Position('00000/00000/00000/00000/00000 b3d3 c2c4 0 Pan Atlas')
    #[staticmethod]
    #[pyo3(signature = (first, second, cards=None, size=None),
        text_signature = "(first, second, cards=None, size=5)")]
    fn start(
        first: &Argument<'_>,
        second: &Argument<'_>,
        cards: Option<&Argument<'_>>,
        size: Option<&Argument<'_>>,
    ) -> PyResult<Self> {
        let cards = read_cards(cards)?;
        match argument::size(size)? {
            6 => Ok(Board::<6>::start([first, second], cards)?.into()),
            _ => Ok(Board::<5>::start([first, second], cards)?.into()),
        }
    }

    /// A position after a random placement and `turns` random turns. None of these turns
    /// wins. The player to move has no winning turn, but at least one turn that leaves the
    /// opponent without one. Seed and number together determine the position. If few games
    /// are that long, there may be fewer turns. Ctrl-C and the event `stop` end the work.
    #[staticmethod]
    #[pyo3(
        name = "random",
        signature = (turns=None, seed=None, number=None, cards=None, size=None, *, stop=None),
        text_signature = "(turns=0, seed=0, number=0, cards=None, size=5, *, stop=None)"
    )]
    fn random_position(
        py: Python<'_>,
        turns: Option<&Argument<'_>>,
        seed: Option<&Argument<'_>>,
        number: Option<&Argument<'_>>,
        cards: Option<&Argument<'_>>,
        size: Option<&Argument<'_>>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<Self> {
        let turns = whole_or("turns", turns, 0, 0..=u32::MAX)?;
        let (seed, number) = (
            argument::seed("seed", seed)?,
            argument::seed("number", number)?,
        );
        let (cards, token) = (read_cards(cards)?, Token::read(stop)?);
        match argument::size(size)? {
            6 => Ok(Board::<6>::random(py, turns, seed, number, cards, &token)?.into()),
            _ => Ok(Board::<5>::random(py, turns, seed, number, cards, &token)?.into()),
        }
    }

    /// Reads a board in JSON, as players and referees exchange it: a string, or the dict
    /// that `json.loads` returns for it.
    #[staticmethod]
    fn from_json(board: &Argument<'_>) -> PyResult<Self> {
        let value = argument::json("board", board, BOARD)?;
        let position = read_any_board(&value);
        let position = position.map_err(|error| argument::wrong("board", error))?;
        Ok(position.into())
    }

    /// The board in JSON.
    fn to_json(&self) -> String {
        at_size!(&self.0, board => write_board(&board.position).to_string())
    }

    /// The dict that `json.loads` returns for the board in JSON.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let board = at_size!(&self.0, board => write_board(&board.position));
        write_json(py, &board)
    }

    /// The number of rows: 5 or 6.
    #[getter]
    fn size(&self) -> usize {
        self.0.size()
    }

    /// The number of turns played.
    #[getter]
    fn turn(&self) -> u32 {
        at_size!(&self.0, board => board.position.turn())
    }

    /// The player to move: 0 or 1.
    #[getter]
    fn to_move(&self) -> u32 {
        self.turn() % 2
    }

    /// The levels, 0 to 4, row by row; 4 is a dome.
    #[getter]
    fn levels(&self) -> Vec<Vec<u32>> {
        at_size!(&self.0, board => board.levels())
    }

    /// The spaces of the workers of player 0 and of player 1.
    #[getter]
    fn workers(&self) -> (Names, Names) {
        at_size!(&self.0, board => board.workers()).into()
    }

    /// The cards of player 0 and of player 1, if the game has cards.
    #[getter]
    fn cards(&self) -> Option<(&'static str, &'static str)> {
        card_names(at_size!(&self.0, board => board.seat_cards()))
    }

    /// The turn that led here, if `play` made the position.
    #[getter]
    pub fn last_turn(&self) -> Option<String> {
        at_size!(&self.0, board => board.last_turn())
    }

    /// All legal turns, winning turns first; empty if the game is over.
    fn turns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        at_size!(&self.0, board => board.turn_list(py))
    }

    /// The number of legal turns.
    fn count_turns(&self) -> u64 {
        at_size!(&self.0, board => match board.is_won() {
            true => 0,
            false => board.position.count_turns(),
        })
    }

    /// The position after a turn, in any spelling. Raises `IllegalTurn` if the turn is
    /// illegal, and ValueError if the text is not a turn.
    fn play(&self, turn: &Argument<'_>) -> PyResult<Self> {
        self.played(&argument::text("turn", turn)?)
    }

    /// Whether a turn, in any spelling, is legal here.
    fn is_legal(&self, turn: &Argument<'_>) -> PyResult<bool> {
        let turn = argument::text("turn", turn)?;
        Ok(at_size!(&self.0, board => board.read_turn(&turn).is_ok()))
    }

    /// The positions after the legal turns, in the order of `turns`.
    fn successors(&self) -> Vec<Self> {
        at_size!(&self.0, board => {
            let turns = board.turns().into_iter();
            turns.map(|turn| board.after(turn).into()).collect()
        })
    }

    /// The view of `player`, or of the player to move, as in `Batch`: an array (planes, rows,
    /// columns) of uint8, or of float32.
    #[pyo3(signature = (dtype=None, *, player=None))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Argument<'py>>,
        player: Option<&Argument<'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        view::board_planes(py, &self.0, dtype, player)
    }

    /// Which actions of `Batch` are legal here.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        view::board_mask(py, &self.0)
    }

    /// The actions of the legal turns, in the order of `turns`.
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let numbers = at_size!(&self.0, board => board.actions());
        list_array(py, numbers.into_iter())
    }

    /// The action of a legal turn.
    fn action_of(&self, turn: &Argument<'_>) -> PyResult<usize> {
        let turn = argument::text("turn", turn)?;
        at_size!(&self.0, board => board.action_of(&turn))
    }

    /// The notation of the turn of a legal action.
    fn turn_of(&self, action: &Argument<'_>) -> PyResult<String> {
        let action = whole("action", action, i64::MIN..=i64::MAX)?;
        at_size!(&self.0, board => board.turn_of(action))
    }

    /// The position rotated or mirrored. Symmetries are numbered 0 to 7: 0 changes nothing,
    /// 1 mirrors the rows, 2 the columns, and 4 then exchanges rows and columns; the others
    /// are sums of these.
    fn symmetric(&self, symmetry: &Argument<'_>) -> PyResult<Self> {
        let symmetry = read_symmetry(symmetry)?;
        Ok(at_size!(&self.0, board => board.symmetric(symmetry).into()))
    }

    /// For each action: its number in `symmetric(symmetry)` if it is legal here, else -1.
    ///
    /// >>> legal = position.mask()
    /// >>> policy = legal / legal.sum()
    /// >>> mirrored = numpy.zeros_like(policy)
    /// >>> mirrored[position.symmetric_actions(1)[legal]] = policy[legal]
    fn symmetric_actions<'py>(
        &self,
        py: Python<'py>,
        symmetry: &Argument<'_>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let symmetry = read_symmetry(symmetry)?;
        let numbers = at_size!(&self.0, board => board.symmetric_actions(symmetry));
        list_array(py, numbers.into_iter())
    }

    /// The representative of the eight symmetric positions, the same for all of them, and the
    /// symmetry that leads to it.
    fn canonical(&self) -> (Self, usize) {
        at_size!(&self.0, board => {
            let (board, symmetry) = board.canonical();
            (board.into(), symmetry)
        })
    }

    /// The board in words, with the legal turns unless `turns` is False: a prompt for a
    /// language model.
    #[pyo3(signature = (turns=None), text_signature = "($self, turns=True)")]
    fn describe(&self, turns: Option<&Argument<'_>>) -> PyResult<String> {
        let with_turns = argument::flag("turns", turns, true)?;
        Ok(at_size!(&self.0, board => board.description(with_turns)))
    }

    /// The legal turn that a free text means, such as "c3 to c4, build on b4" or "C3C4B4".
    /// Raises `IllegalTurn` if it is not legal, and ValueError if it is not a turn or is
    /// ambiguous.
    fn parse_turn(&self, turn: &Argument<'_>) -> PyResult<String> {
        let text = argument::text("turn", turn)?;
        at_size!(&self.0, board => Ok(board.text_of(board.parse_turn(&text)?)))
    }

    /// The player who has won, if the game is over.
    #[getter]
    pub fn winner(&self) -> Option<u8> {
        at_size!(&self.0, board => board.winner()).map(|seat| seat as u8)
    }

    /// Whether the game is over: won, or no legal turns left.
    #[getter]
    pub fn is_over(&self) -> bool {
        at_size!(&self.0, board => board.is_over())
    }

    /// The points of player 0 and player 1, if the game is over.
    fn result(&self) -> Option<(f64, f64)> {
        let winner = self.winner()?;
        Some((f64::from(1 - winner), f64::from(winner)))
    }

    /// The legal turn that leads from this position to another, which is a position or a
    /// board in JSON. Raises `IllegalTurn` with the referee's message, which names the
    /// broken rule.
    ///
    /// >>> position.judge(position.to_json())
    /// Traceback (most recent call last):
    /// santorini.IllegalTurn: no turn was made: no worker has moved and nothing was built
    fn judge(&self, after: &Argument<'_>) -> PyResult<String> {
        let after = match after.cast::<Self>() {
            Ok(after) => at_size!(&after.get().0, board => write_board(&board.position)),
            Err(_) => argument::json("after", after, &format!("a Position, {BOARD}"))?,
        };
        at_size!(&self.0, board => board.judged(&after))
    }

    /// The number of lines of exactly `depth` turns. Ctrl-C ends the count; the event
    /// `stop` ends it with `Stopped`.
    #[pyo3(signature = (depth, *, stop=None))]
    fn perft(
        &self,
        py: Python<'_>,
        depth: &Argument<'_>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<u64> {
        let depth = whole("depth", depth, 0..=u32::MAX)?;
        let token = Token::read(stop)?;
        if depth > 0 && self.is_won() {
            return Ok(0);
        }
        if depth <= LITTLE_DEPTH {
            return Ok(at_size!(&self.0, board => board.position.perft(depth)));
        }
        let count = stoppable(
            py,
            &token,
            |stop| at_size!(&self.0, board => board.position.perft_until(depth, stop)),
        )?;
        count.whole()?.ok_or_else(stopped)
    }

    /// The board as lines of text.
    #[pyo3(signature = (ascii=None), text_signature = "($self, ascii=False)")]
    fn picture(&self, ascii: Option<&Argument<'_>>) -> PyResult<String> {
        let is_ascii = argument::flag("ascii", ascii, false)?;
        let style = if is_ascii {
            Style::Ascii
        } else {
            Style::Unicode
        };
        Ok(at_size!(&self.0, board => board.scene().text(style).to_string()))
    }

    /// The board as an SVG picture with the last turn marked.
    fn svg(&self) -> String {
        at_size!(&self.0, board => board.scene().svg(PictureOptions::default()))
    }

    /// The text on the `SmallBoard` with these attributes; None if it is another board.
    fn _small_text(
        &self,
        name: &Argument<'_>,
        workers: &Argument<'_>,
        cards: Option<&Argument<'_>>,
    ) -> PyResult<Option<String>> {
        let game = read_game(name, Some(workers), cards)?;
        Ok(at_size!(&self.0, board => text_on(board, &game)))
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("santorini.Position('{}')", self.text())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let Ok(other) = other.cast::<Self>() else {
            return false;
        };
        match (&self.0, &other.get().0) {
            (AnyBoard::Five(one), AnyBoard::Five(other)) => one.position == other.position,
            (AnyBoard::Six(one), AnyBoard::Six(other)) => one.position == other.position,
            _ => false,
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        at_size!(&self.0, board => board.position.hash(&mut hasher));
        hasher.finish()
    }

    /// For pickling and copying: a function that recreates the position, and its arguments.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Again<'py>> {
        let again = slf.get_type().getattr("_again")?;
        let board = &slf.get().0;
        let start = at_size!(board, board => match &board.last {
            Some((before, _)) => before.to_string(),
            None => board.position.to_string(),
        });
        Ok((again, (start, slf.get().last_turn())))
    }

    /// Recreates a position from its predecessor and the last turn, if any.
    #[staticmethod]
    fn _again(start: &Argument<'_>, turn: Option<&Argument<'_>>) -> PyResult<Self> {
        let start = read_text(&argument::text("start", start)?)?;
        match turn {
            Some(turn) => start.play(turn),
            None => Ok(start),
        }
    }
}
