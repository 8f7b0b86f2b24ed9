//! Many games at once, for learning: arrays of observations, masks and rewards.

use numpy::ndarray::Dimension;
use numpy::{
    AllowTypeChange, Element, PyArray, PyArray1, PyArray2, PyArray4, PyArrayLike1, PyArrayMethods,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use santorini::openings::random_opening;

use crate::board::AnyBoard;
use crate::convert::{wrong, wrong_size};
use crate::encoding::{PLANES, TURNS, actions, encode};
use crate::position::{self, IllegalTurn};
use crate::stage::Stage;

/// How games begin.
#[derive(Clone, Copy)]
enum Start {
    /// On the empty board; the players place their workers.
    Empty,
    /// After a random placement and this many random turns.
    Random(u32),
}

/// Games on boards of one size.
struct Games<const N: usize> {
    stages: Vec<Stage<N>>,
    start: Start,
    restart: bool,
    seed: u64,
    /// How many games were begun: each random start has a number of its own.
    begun: u64,
    rng: Xoshiro256PlusPlus,
}

impl<const N: usize> Games<N> {
    fn new(count: usize, start: Start, restart: bool, seed: u64) -> Self {
        let mut games = Self {
            stages: Vec::new(),
            start,
            restart,
            seed,
            begun: 0,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        };
        games.stages = (0..count).map(|_| games.begin()).collect();
        games
    }

    /// The start of the next game.
    fn begin(&mut self) -> Stage<N> {
        self.begun += 1;
        match self.start {
            Start::Empty => Stage::Placing([None; 3]),
            Start::Random(turns) => {
                Stage::Playing(random_opening(turns, self.seed, self.begun, [None, None]))
            }
        }
    }

    /// Plays an action in every game, and gives which of them it won. If one is
    /// illegal nothing is played, and its game is the error.
    fn step(&mut self, actions: &[i64]) -> Result<Vec<bool>, usize> {
        let pairs = self.stages.iter().zip(actions);
        let after = pairs.enumerate().map(|(game, (stage, &action))| {
            let action = usize::try_from(action).map_err(|_| game)?;
            stage.after(action).ok_or(game)
        });
        let after: Vec<(Stage<N>, bool)> = after.collect::<Result<_, _>>()?;
        let mut won = Vec::with_capacity(after.len());
        for (game, (stage, wins)) in after.into_iter().enumerate() {
            self.stages[game] = if wins && self.restart {
                self.begin()
            } else {
                stage
            };
            won.push(wins);
        }
        Ok(won)
    }

    fn mark_masks(&self, masks: &mut [bool]) {
        masks.fill(false);
        for (stage, mask) in self
            .stages
            .iter()
            .zip(masks.chunks_exact_mut(actions::<N>()))
        {
            stage.mark_mask(mask);
        }
    }

    fn mark_planes(&self, planes: &mut [u8]) {
        planes.fill(0);
        for (stage, planes) in self
            .stages
            .iter()
            .zip(planes.chunks_exact_mut(PLANES * N * N))
        {
            stage.mark_planes(planes);
        }
    }

    fn sample(&mut self) -> Vec<i64> {
        let Self { stages, rng, .. } = self;
        stages
            .iter()
            .map(|stage| stage.sample(rng) as i64)
            .collect()
    }

    fn rollouts(&mut self, games: u32) -> Vec<f32> {
        let Self { stages, rng, .. } = self;
        stages
            .iter()
            .map(|stage| stage.rollouts(games, rng))
            .collect()
    }
}

enum AnyGames {
    Five(Games<5>),
    Six(Games<6>),
}

/// Evaluates an expression for the games inside, whatever their size.
macro_rules! games {
    ($any:expr, $games:ident => $value:expr) => {
        match $any {
            AnyGames::Five($games) => $value,
            AnyGames::Six($games) => $value,
        }
    };
}

/// Many games of the base game at once, as arrays: for learning.
///
/// >>> batch = Batch(1024, seed=1)
/// >>> actions = batch.sample()         # or of a network, among batch.masks()
/// >>> won = batch.step(actions)        # in which games the action won
/// >>> planes = batch.observations()    # what the next player to move sees
///
/// An observation has 7 planes of 0 and 1, seen by the player to move:
///
/// | plane | holds 1 where |
/// |---|---|
/// | 0 to 3 | the level is at least 1, 2, 3, 4 |
/// | 4, 5 | worker 0 and worker 1 of the player to move stand |
/// | 6 | a worker of the other player stands |
///
/// | action | is |
/// |---|---|
/// | `64*w + 8*s + b` | worker w steps in direction s and builds in direction b |
/// | `64*w + 8*s` | the same without a build, if the step wins |
/// | `128 + i` | a worker is placed on the space with index i |
///
/// Worker 0 is the one on the space with the lower index; spaces are numbered row by
/// row. The directions are `santorini.DIRECTIONS`. A player places both workers one
/// after the other.
///
/// Who makes the last turn wins: it wins by itself, or leaves the other player none.
///
/// count: the number of games.
/// size: the number of rows, 5 or 6.
/// start: "empty", so that the players place their workers, or "random", after a
///     random placement and `turns` random turns.
/// restart: whether a game that is over begins again at once. Else it stays as it
///     is until `reset`, and no action is legal in it: such games must not be in a
///     batch that is stepped.
#[pyclass(module = "santorini")]
pub struct Batch {
    games: AnyGames,
}

impl Batch {
    fn size(&self) -> usize {
        match self.games {
            AnyGames::Five(_) => 5,
            AnyGames::Six(_) => 6,
        }
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
    #[pyo3(signature = (count, size=5, *, start="empty", turns=0, restart=true, seed=0))]
    fn new(
        count: usize,
        size: usize,
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
        let games = match size {
            5 => AnyGames::Five(Games::new(count, start, restart, seed)),
            6 => AnyGames::Six(Games::new(count, start, restart, seed)),
            _ => return Err(wrong_size(size)),
        };
        Ok(Self { games })
    }

    /// The number of rows: 5 or 6.
    #[getter(size)]
    fn rows(&self) -> usize {
        self.size()
    }

    /// The number of actions: 153 or 164.
    #[getter]
    fn actions(&self) -> usize {
        TURNS + self.size() * self.size()
    }

    /// The observation of each game: an array (games, 7, rows, columns), or the
    /// one that is passed.
    #[pyo3(signature = (out=None))]
    fn observations<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray4<u8>>>,
    ) -> PyResult<Bound<'py, PyArray4<u8>>> {
        let shape = [self.__len__(), PLANES, self.size(), self.size()];
        let out = out.unwrap_or_else(|| PyArray4::zeros(py, shape, false));
        write(
            &out,
            &shape,
            |planes| games!(&self.games, games => games.mark_planes(planes)),
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
            |masks| games!(&self.games, games => games.mark_masks(masks)),
        )?;
        Ok(out)
    }

    /// The player to move in each game: 0 or 1.
    #[getter]
    fn to_move<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let movers: Vec<u8> = games!(&self.games, games => {
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
        let won = games!(&mut self.games, games => games.step(&actions));
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
        let actions = games!(&mut self.games, games => games.sample());
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
        let shares = py.detach(|| games!(&mut self.games, all => all.rollouts(games)));
        Ok(PyArray1::from_vec(py, shares))
    }

    /// The position of a game; None until all its workers are placed.
    fn position(&self, game: usize) -> PyResult<Option<position::Position>> {
        self.check(game)?;
        Ok(games!(&self.games, games => match games.stages[game] {
            Stage::Placing(_) => None,
            Stage::Playing(position) | Stage::Over(position) => Some(position.into()),
        }))
    }

    /// Puts a position into a game.
    fn set_position(&mut self, game: usize, position: position::Position) -> PyResult<()> {
        self.check(game)?;
        if position.is_finished() {
            return Err(wrong(format!("the game is over: {}", position.text())));
        }
        if position.has_cards() {
            return Err(wrong("a batch plays the base game, without cards"));
        }
        match (&mut self.games, &position.0) {
            (AnyGames::Five(games), AnyBoard::Five(board)) => {
                games.stages[game] = Stage::Playing(board.position);
            }
            (AnyGames::Six(games), AnyBoard::Six(board)) => {
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
        games!(&mut self.games, games => games.stages[game] = games.begin());
        Ok(())
    }

    /// The notation of a legal action of a game: that of a turn, or a square.
    fn turn_of(&self, game: usize, action: usize) -> PyResult<String> {
        self.check(game)?;
        let illegal =
            || IllegalTurn::new_err(format!("action {action} is not legal in game {game}"));
        let text = games!(&self.games, games => games.stages[game].action_text(action));
        text.ok_or_else(illegal)
    }

    /// The action of a legal turn in a game.
    fn action_of(&self, game: usize, turn: &str) -> PyResult<usize> {
        self.check(game)?;
        games!(&self.games, games => match games.stages[game] {
            Stage::Playing(position) => {
                let turn = crate::board::Board::from(position).read_turn(turn)?;
                Ok(encode(&position, turn))
            }
            _ => Err(wrong(format!("no turn can be played in game {game}"))),
        })
    }

    fn __len__(&self) -> usize {
        games!(&self.games, games => games.stages.len())
    }

    fn __repr__(&self) -> String {
        let size = self.size();
        format!("<Batch of {} games on {size}x{size}>", self.__len__())
    }
}
