//! Many games at once, for learning: arrays of observations, masks and rewards.

use numpy::ndarray::Dimension;
use numpy::{
    AllowTypeChange, Element, PyArray, PyArray1, PyArray2, PyArray4, PyArrayLike1, PyArrayMethods,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use santorini::at_size;
use santorini::rules::AnySize;

use crate::action::encode;
use crate::convert::{Names, read_card_pair, wrong, wrong_size};
use crate::planes::planes;
use crate::position::{self, IllegalTurn};
use crate::stage::Stage;
use crate::stages::{Deal, Setting, Stages, Start};

/// Many games at once, as arrays: for learning.
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
/// T is 128 in the base game. In games with cards it is 2882, and these come before; a
/// step onto a worker of the other player swaps with it or pushes it.
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
/// Space d is one of the 5x5 around the worker, numbered row by row.
///
/// Worker 0 is the one on the space with the lower index; spaces are numbered row by
/// row. The directions are `santorini.DIRECTIONS`. A player places both workers one
/// after the other. Of turns that lead to the same board one is legal: the one that
/// `Position.turns` gives.
///
/// Who makes the last turn wins: it wins by itself, or leaves the other player none.
///
/// count: the number of games.
/// size: the number of rows, 5 or 6.
/// cards: the cards of the first and the second player, "random" for two that are drawn
///     for each game, or None for the base game.
/// start: "empty", so that the players place their workers, or "random", after a
///     random placement and `turns` random turns.
/// restart: whether a game that is over begins again at once. Else it stays as it
///     is until `reset`, and no action is legal in it: such games must not be in a
///     batch that is stepped.
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

    fn check(&self, game: usize) -> PyResult<()> {
        let count = self.__len__();
        if game < count {
            return Ok(());
        }
        let why = format!("game {game} of {count}");
        Err(pyo3::exceptions::PyIndexError::new_err(why))
    }
}

/// The error of an array of another shape.
fn wrong_shape(name: &str, wanted: &[usize], found: &[usize]) -> PyErr {
    wrong(format!(
        "{name} has the shape {found:?}; it should have {wanted:?}"
    ))
}

/// The cards that Python asks for.
fn read_deal(cards: Option<Bound<'_, PyAny>>) -> PyResult<Deal> {
    let Some(cards) = cards else {
        return Ok(Deal::None);
    };
    if cards.extract::<&str>().is_ok_and(|text| text == "random") {
        return Ok(Deal::Random);
    }
    let names: Names = cards.extract().map_err(|_| {
        wrong(format!(
            "cards is {cards:?}; it is two names, \"random\" or None"
        ))
    })?;
    read_card_pair(names).map(Deal::Pair)
}

/// Writes to all values of an array, which must have this shape.
fn write<T: Element, D: Dimension>(
    out: &Bound<'_, PyArray<T, D>>,
    shape: &[usize],
    write: impl FnOnce(&mut [T]),
) -> PyResult<()> {
    if out.shape() != shape {
        return Err(wrong_shape("out", shape, out.shape()));
    }
    let why = "out is not contiguous row by row: make it with numpy.zeros";
    if !out.is_c_contiguous() {
        return Err(wrong(why));
    }
    let mut out = out.try_readwrite().map_err(wrong)?;
    write(out.as_slice_mut().map_err(|_| wrong(why))?);
    Ok(())
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (count, size=5, *, cards=None, start="empty", turns=0, restart=true, seed=0))]
    fn new(
        count: usize,
        size: usize,
        cards: Option<Bound<'_, PyAny>>,
        start: &str,
        turns: u32,
        restart: bool,
        seed: u64,
    ) -> PyResult<Self> {
        const MOST: usize = 1 << 24;
        if !(1..=MOST).contains(&count) {
            return Err(wrong(format!("{count} games; 1 to {MOST} are possible")));
        }
        let start = match start {
            "empty" => Start::Empty,
            "random" => Start::Random(turns),
            _ => {
                return Err(wrong(format!(
                    "start is {start:?}; it is \"empty\" or \"random\""
                )));
            }
        };
        let setting = Setting {
            start,
            deal: read_deal(cards)?,
            restart,
        };
        let games = match size {
            5 => AnySize::Five(Stages::new(count, setting, seed)),
            6 => AnySize::Six(Stages::new(count, setting, seed)),
            _ => return Err(wrong_size(size)),
        };
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

    /// The observation of each game: an array (games, planes, rows, columns), or the
    /// one that is passed.
    #[pyo3(signature = (out=None))]
    fn observations<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray4<u8>>>,
    ) -> PyResult<Bound<'py, PyArray4<u8>>> {
        let planes = planes(self.has_cards());
        let shape = [self.__len__(), planes, self.size(), self.size()];
        let out = out.unwrap_or_else(|| PyArray4::zeros(py, shape, false));
        write(
            &out,
            &shape,
            |planes| at_size!(&self.games, games => games.mark_planes(planes)),
        )?;
        Ok(out)
    }

    /// Which actions are legal in each game: an array (games, actions), or the one
    /// that is passed.
    #[pyo3(signature = (out=None))]
    fn masks<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray2<bool>>>,
    ) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let shape = [self.__len__(), self.actions()];
        let out = out.unwrap_or_else(|| PyArray2::zeros(py, shape, false));
        write(
            &out,
            &shape,
            |masks| at_size!(&self.games, games => games.mark_masks(masks)),
        )?;
        Ok(out)
    }

    /// The player to move in each game: 0 or 1.
    #[getter]
    fn to_move<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let movers: Vec<u8> = at_size!(&self.games, games => {
            games.stages.iter().map(Stage::mover).collect()
        });
        PyArray1::from_vec(py, movers)
    }

    /// Plays an action in each game; gives in which games it won. Raises
    /// `IllegalTurn` if one is not legal, and then plays none.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: PyArrayLike1<'py, i64, AllowTypeChange>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let actions = actions.as_array();
        if actions.len() != self.__len__() {
            return Err(wrong_shape("actions", &[self.__len__()], &[actions.len()]));
        }
        let actions: Vec<i64> = actions.iter().copied().collect();
        let won = at_size!(&mut self.games, games => games.step(&actions));
        match won {
            Ok(won) => Ok(PyArray1::from_vec(py, won)),
            Err(game) => {
                let action = actions[game];
                let why =
                    format!("action {action} is not legal in game {game}; nothing was played");
                Err(IllegalTurn::new_err(why))
            }
        }
    }

    /// A legal action for each game, each as likely as any other; 0 where there is
    /// none.
    fn sample<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let actions = at_size!(&mut self.games, games => games.sample());
        PyArray1::from_vec(py, actions)
    }

    /// The share of this many random games from each position that the player to
    /// move wins. The positions stay.
    #[pyo3(signature = (games=1))]
    fn rollouts<'py>(
        &mut self,
        py: Python<'py>,
        games: u32,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        if games == 0 {
            return Err(wrong("0 games; at least 1 is played"));
        }
        let shares = py.detach(|| at_size!(&mut self.games, all => all.rollouts(games)));
        Ok(PyArray1::from_vec(py, shares))
    }

    /// The position of a game; None until all its workers are placed.
    fn position(&self, game: usize) -> PyResult<Option<position::Position>> {
        self.check(game)?;
        Ok(at_size!(&self.games, games => games.stages[game].board().map(Into::into)))
    }

    /// The cards of the first and the second player of a game, if it has cards.
    fn cards(&self, game: usize) -> PyResult<Option<(&'static str, &'static str)>> {
        self.check(game)?;
        let cards = at_size!(&self.games, games => games.stages[game].cards());
        Ok(cards.map(|[first, second]| (first.name(), second.name())))
    }

    /// Puts a position into a game.
    fn set_position(&mut self, game: usize, position: position::Position) -> PyResult<()> {
        self.check(game)?;
        if position.is_finished() {
            return Err(wrong(format!("the game is over: {}", position.text())));
        }
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
                    "the games of this batch have {size}x{size} spaces"
                )));
            }
        }
        Ok(())
    }

    /// Begins a game again.
    fn reset(&mut self, game: usize) -> PyResult<()> {
        self.check(game)?;
        at_size!(&mut self.games, games => games.stages[game] = games.begin());
        Ok(())
    }

    /// The notation of a legal action of a game: that of a turn, or a square.
    fn turn_of(&self, game: usize, action: usize) -> PyResult<String> {
        self.check(game)?;
        let illegal =
            || IllegalTurn::new_err(format!("action {action} is not legal in game {game}"));
        let text = at_size!(&self.games, games => games.stages[game].action_text(action));
        text.ok_or_else(illegal)
    }

    /// The action of a legal turn in a game.
    fn action_of(&self, game: usize, turn: &str) -> PyResult<usize> {
        self.check(game)?;
        at_size!(&self.games, games => match games.stages[game] {
            Stage::Playing(position) => {
                let turn = crate::board::Board::from(position).read_turn(turn)?;
                Ok(encode(&position, turn))
            }
            _ => Err(wrong(format!("no turn can be played in game {game}"))),
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
