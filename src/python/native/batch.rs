//! Many games at once, for learning: arrays of observations, masks and results.

use std::sync::atomic::AtomicBool;
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError, TryLockResult};

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use santorini::at_size;
use santorini::rules::AnySize;

use crate::action::action_count;
use crate::argument::{self, Argument, whole, whole_or, wrong_value};
use crate::array::{filled, list_array, read_actions, read_mask};
use crate::batch_argument::{put, read_deal, read_start};
use crate::batch_observations::Seen;
use crate::board::Board;
use crate::convert::{card_names, wrong};
use crate::illegal::{Broken, illegal};
use crate::interruptible::{Token, stoppable, stopped};
use crate::position;
use crate::saved::{self, Games};
use crate::stage::Stage;
use crate::stages::{BatchError, Setting, Stages};

/// Maximum number of games handled without a way to interrupt the work.
const FEW: usize = 4096;

/// Maximum number of games in a batch.
const MOST: usize = 1 << 24;

/// Maximum random games played without a way to interrupt them.
const FEW_PLAYED: usize = 256;

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
///     action, and `step` skips it until `reset` starts the game again. Either way the
///     results of the games that the last step ended are kept: see `ended`.
/// seed: the same seed gives the same games, in a batch of any size.
///
/// Use a batch in one thread at a time. A thread that changes it while another one
/// uses it gets a RuntimeError, and so does one that reads it during a change. The GIL
/// is released while a batch works.
///
/// Ctrl-C ends long work. `stop` is an event such as `threading.Event()`; setting it
/// raises `Stopped`. Raises MemoryError if there is not enough memory for the games.
#[pyclass(frozen, module = "santorini")]
pub struct Batch {
    pub(super) count: usize,
    /// The number of rows.
    pub(super) size: usize,
    pub(super) setting: Setting,
    games: RwLock<Games>,
}

impl Batch {
    fn of(games: Games) -> Self {
        Self {
            count: at_size!(&games, games => games.slots.len()),
            size: games.size(),
            setting: at_size!(&games, games => games.setting),
            games: RwLock::new(games),
        }
    }

    /// The games, for reading.
    pub fn read(&self) -> PyResult<RwLockReadGuard<'_, Games>> {
        unless_in_use(self.games.try_read())
    }

    fn write(&self) -> PyResult<RwLockWriteGuard<'_, Games>> {
        unless_in_use(self.games.try_write())
    }

    /// Runs work on all games, see [`run`].
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&AtomicBool) -> Result<T, BatchError> + Send,
    ) -> PyResult<T> {
        run(py, &Token::NONE, self.count, false, work)
    }
}

/// Runs `work` on `count` games without the GIL. Work that is slow, or on many games, can
/// be stopped, see [`stoppable`].
pub fn run<T: Send>(
    py: Python<'_>,
    token: &Token,
    count: usize,
    is_slow: bool,
    work: impl FnOnce(&AtomicBool) -> Result<T, BatchError> + Send,
) -> PyResult<T> {
    let done = if is_slow || count > FEW {
        stoppable(py, token, |stop| work(stop))?.whole()?
    } else {
        py.detach(|| work(&AtomicBool::new(false)))
    };
    done.map_err(|error| match error {
        BatchError::Stopped => stopped(),
        BatchError::Memory(bytes) => PyMemoryError::new_err(format!(
            "there is no memory for {count} games: {bytes} bytes"
        )),
    })
}

/// The games, unless another thread uses the batch.
fn unless_in_use<T>(games: TryLockResult<T>) -> PyResult<T> {
    match games {
        Ok(games) => Ok(games),
        Err(TryLockError::Poisoned(error)) => Ok(error.into_inner()),
        Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err(
            "another thread is using this batch: use a batch for each thread, or a threading.Lock",
        )),
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
        let games = run(py, &token, count, setting.begins_slowly(), |stop| {
            Ok(match size {
                6 => AnySize::Six(Stages::new(count, setting, seed, stop)?),
                _ => AnySize::Five(Stages::new(count, setting, seed, stop)?),
            })
        })?;
        Ok(Self::of(games))
    }

    /// The number of rows: 5 or 6.
    #[getter]
    const fn size(&self) -> usize {
        self.size
    }

    /// The number of actions: 153 or 164, with cards 2907 or 2918.
    #[getter]
    const fn actions(&self) -> usize {
        action_count(self.size, self.setting.has_cards())
    }

    /// The observation of each game: an array of shape (games, planes, rows, columns), of
    /// uint8 or `dtype` float32. Writes to `out` and returns it, if passed. Shows the view of
    /// the player to move, or of `player` in all games.
    #[pyo3(signature = (out=None, *, dtype=None, player=None))]
    fn observations<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Argument<'py>>,
        dtype: Option<&Argument<'py>>,
        player: Option<&Argument<'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.observe(py, out, dtype, player, Seen::Now)
    }

    /// The legal actions of each game: an array of shape (games, actions). Writes to `out`
    /// and returns it, if passed.
    #[pyo3(signature = (out=None))]
    fn masks<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Argument<'py>>,
    ) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let games = &*self.read()?;
        filled(py, out, &[self.count, self.actions()], |masks| {
            let work = |stop: &_| at_size!(games, games => games.mark_masks(masks, stop));
            self.run(py, work)
        })
    }

    /// The player to move in each game: 0 or 1.
    #[getter]
    fn to_move<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let games = &*self.read()?;
        filled(py, None, &[self.count], |movers| {
            let work = |stop: &_| at_size!(games, games => games.mark_movers(movers, stop));
            self.run(py, work)
        })
    }

    /// Plays one action in each game, or only where the mask `where` is True, and returns
    /// which of them won. Finished games stay as they are, whatever their action. Raises
    /// `IllegalTurn` if any action is illegal; then none is played.
    #[pyo3(signature = (actions, r#where=None))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: &Argument<'py>,
        r#where: Option<&Argument<'py>>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let count = self.count;
        let (actions, given) = read_actions(actions, count)?;
        let actions = actions.try_readonly().map_err(wrong)?;
        let actions = actions.as_slice().map_err(wrong)?;
        let chosen = r#where.map(|mask| read_mask("where", mask, count));
        let chosen = chosen.transpose()?;
        let games = &mut *self.write()?;
        let mut illegal_in = None;
        let won = filled(py, None, &[count], |won| {
            let work = |stop: &_| {
                at_size!(games, games => {
                    games.step(actions, chosen.as_deref(), won, stop)
                })
            };
            illegal_in = run(py, &Token::NONE, count, self.setting.begins_slowly(), work)?;
            Ok(())
        })?;
        if let Some(game) = illegal_in {
            let action = given.get_item(game)?;
            let why = format!("action {action} is not legal in game {game}; nothing was played");
            return Err(illegal(why, Broken::rule("illegal-action")));
        }
        Ok(won)
    }

    /// The games that the last step ended, in order, restarted or not.
    #[getter]
    fn ended<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        at_size!(&*self.read()?, games => {
            list_array(py, games.last.iter().map(|last| last.game as i64))
        })
    }

    /// The winner of each game in `ended`.
    #[getter]
    fn final_winners<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        at_size!(&*self.read()?, games => {
            list_array(py, games.last.iter().map(|last| last.ended.winner().into()))
        })
    }

    /// The number of actions played in each game in `ended`, since it began or its position
    /// was set.
    #[getter]
    fn final_lengths<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        at_size!(&*self.read()?, games => {
            list_array(py, games.last.iter().map(|last| last.length.into()))
        })
    }

    /// The observation at the end of each game in `ended`, see `observations`.
    #[pyo3(signature = (*, dtype=None, player=None))]
    fn final_observations<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Argument<'py>>,
        player: Option<&Argument<'py>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.observe(py, None, dtype, player, Seen::Ended)
    }

    /// The position at the end of a game in `ended`; None if the last step did not end it.
    fn final_position(&self, game: &Argument<'_>) -> PyResult<Option<position::Position>> {
        let game = self.read_game(game)?;
        Ok(at_size!(&*self.read()?, games => {
            let last = games.last.iter().find(|last| last.game == game);
            last.and_then(|last| Stage::Over(last.ended).board().map(Into::into))
        }))
    }

    /// The rewards of both players of each game in the last step: an array (games, 2) with 1
    /// for the winner, -1 for the loser, and 0 where no game ended.
    #[getter]
    fn rewards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let games = &*self.read()?;
        filled(py, None, &[self.count, 2], |rewards| {
            at_size!(games, games => games.mark_rewards(rewards));
            Ok(())
        })
    }

    /// A random legal action for each game, all equally likely; 0 if there is none.
    fn sample<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let games = &mut *self.write()?;
        filled(py, None, &[self.count], |actions| {
            let work = |stop: &_| at_size!(games, games => games.sample(actions, stop));
            self.run(py, work)
        })
    }

    /// The share of `games` random games from each position that the player to move wins.
    /// The positions do not change.
    #[pyo3(signature = (games=None, *, stop=None),
        text_signature = "($self, games=1, *, stop=None)")]
    fn rollouts<'py>(
        &self,
        py: Python<'py>,
        games: Option<&Argument<'py>>,
        stop: Option<&Argument<'py>>,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let played = whole_or("games", games, 1, 1..=u32::MAX)?;
        let token = Token::read(stop)?;
        let is_slow = self.count.saturating_mul(played as usize) > FEW_PLAYED;
        let games = &mut *self.write()?;
        filled(py, None, &[self.count], |shares| {
            let work = |stop: &_| at_size!(games, games => games.rollouts(played, shares, stop));
            run(py, &token, self.count, is_slow, work)
        })
    }

    /// The position of a game; None until all workers are placed.
    fn position(&self, game: &Argument<'_>) -> PyResult<Option<position::Position>> {
        let game = self.read_game(game)?;
        Ok(at_size!(&*self.read()?, games => games.slots[game].stage.board().map(Into::into)))
    }

    /// The cards of the first and the second player of a game, if it has cards.
    fn cards(&self, game: &Argument<'_>) -> PyResult<Option<(&'static str, &'static str)>> {
        let game = self.read_game(game)?;
        let cards = at_size!(&*self.read()?, games => games.slots[game].stage.cards());
        Ok(card_names(cards))
    }

    /// Sets the position of a game.
    fn set_position(&self, game: &Argument<'_>, position: &Argument<'_>) -> PyResult<()> {
        let game = self.read_game(game)?;
        let position = argument::position("position", position)?;
        self.check_position("position", position)?;
        put(&mut *self.write()?, game, &position.0);
        Ok(())
    }

    /// Sets the position of each game, except where the list has None. If one does not fit,
    /// none is set.
    fn set_positions(&self, positions: &Argument<'_>) -> PyResult<()> {
        let boards = self.read_boards(positions)?;
        let mut games = self.write()?;
        for (game, board) in boards.iter().enumerate() {
            if let Some(board) = board {
                put(&mut games, game, board);
            }
        }
        Ok(())
    }

    /// Starts a game again, or the games of a mask (True or False for each game), or all.
    #[pyo3(signature = (game=None))]
    fn reset(&self, py: Python<'_>, game: Option<&Argument<'_>>) -> PyResult<()> {
        let chosen = self.read_games(game)?;
        let games = &mut *self.write()?;
        let work = |stop: &_| at_size!(games, games => games.reset(&chosen, stop));
        let is_slow = self.setting.begins_slowly();
        run(py, &Token::NONE, chosen.len(), is_slow, work)
    }

    /// The notation of a legal action of a game: a turn, or a space for a placement.
    fn turn_of(&self, game: &Argument<'_>, action: &Argument<'_>) -> PyResult<String> {
        let game = self.read_game(game)?;
        let action = whole("action", action, i64::MIN..=i64::MAX)?;
        let games = &*self.read()?;
        let text = |number| at_size!(games, games => games.slots[game].stage.action_text(number));
        let text = usize::try_from(action).ok().and_then(text);
        text.ok_or_else(|| {
            let why = format!("action {action} is not legal in game {game}");
            illegal(why, Broken::rule("illegal-action"))
        })
    }

    /// The action of a legal turn in a game, or of a space for a placement.
    fn action_of(&self, game: &Argument<'_>, turn: &Argument<'_>) -> PyResult<usize> {
        let game = self.read_game(game)?;
        let text = argument::text("turn", turn)?;
        at_size!(&*self.read()?, games => match games.slots[game].stage {
            Stage::Playing(position) => Board::from(position).action_of(&text),
            Stage::Over(_) => Err(wrong(format!("turn: no turn can be played in game {game}"))),
            stage => stage.placing(&text).ok_or_else(|| {
                let right = format!("a free space: workers are being placed in game {game}");
                wrong_value("turn", turn, right)
            }),
        })
    }

    /// Continues with the random numbers of another seed. Games that are reset then start as
    /// in a new batch; the others stay as they are.
    fn _reseed(&self, seed: &Argument<'_>) -> PyResult<()> {
        let seed = argument::seed("seed", Some(seed))?;
        at_size!(&mut *self.write()?, games => games.reseed(seed));
        Ok(())
    }

    /// The whole batch as text, for copies and pickles.
    fn _state(&self) -> PyResult<String> {
        Ok(saved::write(&*self.read()?))
    }

    /// The batch with this state.
    #[staticmethod]
    fn _of_state(state: &Argument<'_>) -> PyResult<Self> {
        let text = argument::text("state", state)?;
        Ok(Self::of(saved::read(&text)?))
    }

    const fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        let Self { count, size, .. } = self;
        let cards = match self.setting.has_cards() {
            true => " with cards",
            false => "",
        };
        format!("<Batch of {count} games on {size}x{size}{cards}>")
    }
}
