//! Many games at once, for learning: arrays of observations, masks and results.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use numpy::{Ix1, Ix2, Ix4, PyArray1, PyArray2, PyArray4, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyMemoryError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use santorini::at_size;
use santorini::rules::AnySize;

use crate::action::encode;
use crate::argument::{self, Argument, whole, whole_or, wrong_type, wrong_value};
use crate::array::{Values, output, read_actions};
use crate::convert::{read_card_pair, wrong};
use crate::interruptible::{Token, interruptible, stopped};
use crate::planes::planes;
use crate::position::{self, IllegalTurn};
use crate::stage::Stage;
use crate::stages::{Deal, Setting, Stages, Start, Undone};

/// Maximum number of games.
const MOST: usize = 1 << 24;

/// Maximum games, or random games, handled without a way to interrupt the work.
const FEW: usize = 4096;
const FEW_PLAYED: usize = 256;

/// Maximum random turns of an opening made without a way to interrupt it.
const FEW_TURNS: u32 = 12;

/// Many games at once, as arrays, for learning.
///
/// >>> batch = Batch(1024, seed=1)
/// >>> actions = batch.sample()         # or of a network, among batch.masks()
/// >>> won = batch.step(actions)        # in which games the action won
/// >>> planes = batch.observations()    # what the next player to move sees
///
/// An observation has planes of 0 and 1, seen by the player to move: 7, and 23 in games
/// with cards.
///
/// | plane | holds 1 where |
/// |---|---|
/// | 0 to 3 | the level is at least 1, 2, 3, 4 |
/// | 4, 5 | worker 0 and worker 1 of the player to move stand |
/// | 6 | a worker of the other player stands |
/// | 7 to 14 | everywhere: the player to move has this one of `santorini.CARDS` |
/// | 15 to 22 | everywhere: the other player has it |
///
/// An action is a whole turn, or the placement of a worker. Its number means the same
/// in every position.
///
/// | action | is |
/// |---|---|
/// | `64*w + 8*s + b` | worker w steps in direction s and builds in direction b |
/// | `64*w + 8*s` | the same without a build, if the step wins |
/// | `T + i` | a worker is placed on the space with index i |
///
/// T is 128 in the base game and 2882 in games with cards, which also have the actions
/// below. A step onto an opponent's worker swaps with it or pushes it.
///
/// | action | is |
/// |---|---|
/// | `128 + 64*w + 8*s + b` | the same with a dome on a tower lower than 3 |
/// | `256 + 64*w + 8*s + b` | the same with two levels |
/// | `384 + 225*w + 9*d + b` | worker w moves two steps to space d and builds b |
/// | `384 + 225*w + 9*d + 8` | the same without a build, if the second step wins |
/// | `834 + 512*w + 64*s + 8*b + c` | worker w steps s and builds on two spaces, b and c |
/// | `1858 + 512*w + 64*a + 8*s + b` | worker w builds a, steps s and builds b |
///
/// Space d is one of the 5x5 spaces around the worker, numbered row by row.
///
/// Worker 0 is the one on the space with the lower index; spaces are numbered row by
/// row. The directions are `santorini.DIRECTIONS`. A player places both workers one
/// after the other. Of turns that lead to the same board, only the one in
/// `Position.turns` is legal.
///
/// The player of the last turn wins: the turn wins by itself, or leaves the opponent
/// without a legal turn.
///
/// count: the number of games.
/// size: the number of rows, 5 or 6.
/// cards: the cards of the first and the second player, "random" to draw two for each
///     game, or None for the base game.
/// start: "empty": the players place their workers; or "random": games start after a
///     random placement and `turns` random turns.
/// restart: whether a finished game starts again at once. If not, it has no legal
///     action, and `step` raises `IllegalTurn` until `reset` starts the game again.
///
/// Ctrl-C ends long work. `stop` is an event such as `threading.Event()`; setting it
/// raises `Stopped`. Raises MemoryError if there is not enough memory for the games.
#[pyclass(module = "santorini")]
pub struct Batch {
    games: AnySize<Stages<5>, Stages<6>>,
}

impl Batch {
    fn size(&self) -> usize {
        self.games.size()
    }

    fn has_cards(&self) -> bool {
        at_size!(&self.games, games => games.setting.has_cards())
    }

    /// The argument `game`.
    fn read_game(&self, game: &Argument<'_>) -> PyResult<usize> {
        let count = self.__len__();
        let index = whole("game", game, i64::MIN..=i64::MAX)?;
        let index_here = usize::try_from(index).ok().filter(|&index| index < count);
        index_here.ok_or_else(|| {
            PyIndexError::new_err(format!("game is {index}; it should be 0 to {}", count - 1))
        })
    }

    /// Whether work on all games is long enough to be interrupted.
    fn is_long(&self) -> bool {
        self.__len__() > FEW
    }

    /// Whether a game takes long to start.
    fn begins_slowly(&self) -> bool {
        at_size!(&self.games, games => games.setting.begins_slowly())
    }
}

impl Setting {
    fn begins_slowly(&self) -> bool {
        matches!(self.start, Start::Random(turns) if turns > FEW_TURNS)
    }
}

/// Runs `work` on `count` games; if `is_long`, as [`interruptible`] work.
fn run<T: Send>(
    py: Python<'_>,
    token: &Token,
    (count, is_long): (usize, bool),
    work: impl FnOnce(&AtomicBool) -> Result<T, Undone> + Send,
) -> PyResult<T> {
    let done = if is_long {
        let work = |stop: &Arc<AtomicBool>, _: &mut dyn FnMut(())| work(stop);
        interruptible(py, token, work, |_, ()| Ok(()))?.whole()?
    } else {
        work(&AtomicBool::new(false))
    };
    done.map_err(|undone| match undone {
        Undone::Stopped => stopped(),
        Undone::Memory(bytes) => PyMemoryError::new_err(format!(
            "there is no memory for {count} games: {bytes} bytes"
        )),
        Undone::Illegal(game) => {
            IllegalTurn::new_err(format!("the action is not legal in game {game}"))
        }
    })
}

/// The argument `cards`.
fn read_deal(cards: Option<&Argument<'_>>) -> PyResult<Deal> {
    const RIGHT: &str = "two names, \"random\" or None";
    let Some(cards) = cards else {
        return Ok(Deal::None);
    };
    if cards.is_instance_of::<PyString>() {
        return match &*argument::text("cards", cards)? {
            "random" => Ok(Deal::Random),
            _ => Err(wrong_value("cards", cards, RIGHT)),
        };
    }
    if cards.cast::<pyo3::types::PySequence>().is_err() {
        return Err(wrong_type("cards", cards, RIGHT));
    }
    read_card_pair(cards).map(Deal::Pair)
}

/// The argument `start`.
fn read_start(start: Option<&Argument<'_>>, turns: u32) -> PyResult<Start> {
    let Some(start) = start else {
        return Ok(Start::Empty);
    };
    match &*argument::text("start", start)? {
        "empty" => Ok(Start::Empty),
        "random" => Ok(Start::Random(turns)),
        _ => Err(wrong_value("start", start, "\"empty\" or \"random\"")),
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(
        signature = (count, size=None, *, cards=None, start=None, turns=None, restart=None,
            seed=None, stop=None),
        text_signature = "(count, size=5, *, cards=None, start=\"empty\", turns=0, restart=True, seed=0, stop=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        py: Python<'_>,
        count: &Argument<'_>,
        size: Option<&Argument<'_>>,
        cards: Option<&Argument<'_>>,
        start: Option<&Argument<'_>>,
        turns: Option<&Argument<'_>>,
        restart: Option<&Argument<'_>>,
        seed: Option<&Argument<'_>>,
        stop: Option<&Argument<'_>>,
    ) -> PyResult<Self> {
        let count = whole("count", count, 1..=MOST)?;
        let size = argument::size(size)?;
        let turns = whole_or("turns", turns, 0, 0..=u32::MAX)?;
        let setting = Setting {
            start: read_start(start, turns)?,
            deal: read_deal(cards)?,
            restart: argument::flag("restart", restart, true)?,
        };
        let (seed, token) = (argument::seed("seed", seed)?, Token::read(stop)?);
        let extent = (count, count > FEW || setting.begins_slowly());
        let games = run(py, &token, extent, |stop| {
            Ok(match size {
                6 => AnySize::Six(Stages::new(count, setting, seed, stop)?),
                _ => AnySize::Five(Stages::new(count, setting, seed, stop)?),
            })
        })?;
        Ok(Self { games })
    }

    /// The number of rows: 5 or 6.
    #[getter(size)]
    fn rows(&self) -> usize {
        self.size()
    }

    /// The number of actions: 153 or 164, with cards 2907 or 2918.
    #[getter]
    fn actions(&self) -> usize {
        at_size!(&self.games, games => games.action_count())
    }

    /// The observation of each game: an array of shape (games, planes, rows, columns).
    /// Writes to `out` and returns it, if passed.
    #[pyo3(signature = (out=None))]
    fn observations<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Argument<'py>>,
    ) -> PyResult<Bound<'py, PyArray4<u8>>> {
        let planes = planes(self.has_cards());
        let count = self.__len__();
        let shape = [count, planes, self.size(), self.size()];
        let out = output::<u8, Ix4>(py, out, &shape)?;
        let mut values = Values::of(&out)?;
        let planes = values.slice()?;
        run(
            py,
            &Token::NONE,
            (count, self.is_long()),
            |stop| at_size!(&self.games, games => games.mark_planes(planes, stop)),
        )?;
        Ok(out)
    }

    /// The legal actions of each game: an array of shape (games, actions). Writes to `out`
    /// and returns it, if passed.
    #[pyo3(signature = (out=None))]
    fn masks<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Argument<'py>>,
    ) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let count = self.__len__();
        let out = output::<bool, Ix2>(py, out, &[count, self.actions()])?;
        let mut values = Values::of(&out)?;
        let masks = values.slice()?;
        run(
            py,
            &Token::NONE,
            (count, self.is_long()),
            |stop| at_size!(&self.games, games => games.mark_masks(masks, stop)),
        )?;
        Ok(out)
    }

    /// The player to move in each game: 0 or 1.
    #[getter]
    fn to_move<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let count = self.__len__();
        let out = output::<u8, Ix1>(py, None, &[count])?;
        let mut values = Values::of(&out)?;
        let movers = values.slice()?;
        run(
            py,
            &Token::NONE,
            (count, self.is_long()),
            |stop| at_size!(&self.games, games => games.mark_movers(movers, stop)),
        )?;
        Ok(out)
    }

    /// Plays one action in each game and returns which of them won. Raises `IllegalTurn` if
    /// any action is illegal; then none is played.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &Argument<'py>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let count = self.__len__();
        let (actions, given) = read_actions(actions, count)?;
        let actions = actions.try_readonly().map_err(wrong)?;
        let actions = actions.as_slice().map_err(wrong)?;
        let out = output::<bool, Ix1>(py, None, &[count])?;
        let mut values = Values::of(&out)?;
        let won = values.slice()?;
        let extent = (count, self.is_long() || self.begins_slowly());
        let games = &mut self.games;
        let illegal = run(py, &Token::NONE, extent, |stop| {
            match at_size!(games, games => games.step(actions, won, stop)) {
                Err(Undone::Illegal(game)) => Ok(Some(game)),
                done => done.map(|()| None),
            }
        })?;
        match illegal {
            None => Ok(out),
            Some(game) => {
                let action = given.get_item(game)?;
                let why =
                    format!("action {action} is not legal in game {game}; nothing was played");
                Err(IllegalTurn::new_err(why))
            }
        }
    }

    /// A random legal action for each game, all equally likely; 0 if there is none.
    fn sample<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let count = self.__len__();
        let out = output::<i64, Ix1>(py, None, &[count])?;
        let mut values = Values::of(&out)?;
        let actions = values.slice()?;
        let (extent, games) = ((count, self.is_long()), &mut self.games);
        run(
            py,
            &Token::NONE,
            extent,
            |stop| at_size!(games, games => games.sample(actions, stop)),
        )?;
        Ok(out)
    }

    /// The share of `games` random games from each position that the player to move wins.
    /// The positions do not change.
    #[pyo3(signature = (games=None, *, stop=None),
        text_signature = "($self, games=1, *, stop=None)")]
    fn rollouts<'py>(
        &mut self,
        py: Python<'py>,
        games: Option<&Argument<'py>>,
        stop: Option<&Argument<'py>>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let played = whole_or("games", games, 1, 1..=u32::MAX)?;
        let token = Token::read(stop)?;
        let count = self.__len__();
        let out = output::<f32, Ix1>(py, None, &[count])?;
        let mut values = Values::of(&out)?;
        let shares = values.slice()?;
        let is_long = count.saturating_mul(played as usize) > FEW_PLAYED;
        let games = &mut self.games;
        run(
            py,
            &token,
            (count, is_long),
            |stop| at_size!(games, games => games.rollouts(played, shares, stop)),
        )?;
        Ok(out)
    }

    /// The position of a game; None until all workers are placed.
    fn position(&self, game: &Argument<'_>) -> PyResult<Option<position::Position>> {
        let game = self.read_game(game)?;
        Ok(at_size!(&self.games, games => games.stages[game].board().map(Into::into)))
    }

    /// The cards of the first and the second player of a game, if it has cards.
    fn cards(&self, game: &Argument<'_>) -> PyResult<Option<(&'static str, &'static str)>> {
        let game = self.read_game(game)?;
        let cards = at_size!(&self.games, games => games.stages[game].cards());
        Ok(cards.map(|[first, second]| (first.name(), second.name())))
    }

    /// Sets the position of a game.
    fn set_position(&mut self, game: &Argument<'_>, position: &Argument<'_>) -> PyResult<()> {
        let game = self.read_game(game)?;
        let position = argument::position("position", position)?;
        position.check_goes_on("position")?;
        if position.has_cards() != self.has_cards() {
            return Err(wrong(if self.has_cards() {
                "the games of this batch have cards, and the position has none"
            } else {
                "the games of this batch have no cards, and the position has"
            }));
        }
        match (&mut self.games, &position.0) {
            (AnySize::Five(games), AnySize::Five(board)) => {
                games.stages[game] = Stage::Playing(board.position);
            }
            (AnySize::Six(games), AnySize::Six(board)) => {
                games.stages[game] = Stage::Playing(board.position);
            }
            _ => {
                let size = self.size();
                return Err(wrong(format!(
                    "the position has another size; the games of this batch have {size}x{size} spaces"
                )));
            }
        }
        Ok(())
    }

    /// Starts a game again.
    fn reset(&mut self, py: Python<'_>, game: &Argument<'_>) -> PyResult<()> {
        let game = self.read_game(game)?;
        let (extent, games) = ((1, self.begins_slowly()), &mut self.games);
        run(
            py,
            &Token::NONE,
            extent,
            |stop| at_size!(games, games => games.reset(game, stop)),
        )
    }

    /// The notation of a legal action of a game: a turn, or a square for a placement.
    fn turn_of(&self, game: &Argument<'_>, action: &Argument<'_>) -> PyResult<String> {
        let game = self.read_game(game)?;
        let action = whole("action", action, i64::MIN..=i64::MAX)?;
        let illegal =
            || IllegalTurn::new_err(format!("action {action} is not legal in game {game}"));
        let number = usize::try_from(action).map_err(|_| illegal())?;
        let text = at_size!(&self.games, games => games.stages[game].action_text(number));
        text.ok_or_else(illegal)
    }

    /// The action of a legal turn in a game.
    fn action_of(&self, game: &Argument<'_>, turn: &Argument<'_>) -> PyResult<usize> {
        let game = self.read_game(game)?;
        let turn = argument::text("turn", turn)?;
        at_size!(&self.games, games => match games.stages[game] {
            Stage::Playing(position) => {
                let turn = crate::board::Board::from(position).read_turn(&turn)?;
                Ok(encode(&position, turn))
            }
            _ => Err(wrong(format!("turn: no turn can be played in game {game}"))),
        })
    }

    fn __len__(&self) -> usize {
        at_size!(&self.games, games => games.stages.len())
    }

    fn __repr__(&self) -> String {
        let size = self.size();
        let cards = if self.has_cards() { " with cards" } else { "" };
        format!(
            "<Batch of {} games on {size}x{size}{cards}>",
            self.__len__()
        )
    }
}
