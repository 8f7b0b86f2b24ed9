//! A solved game checked in other ways: every state of its file by its turns, and
//! random states, or all that can come about, by forward searches that share nothing
//! with the solver.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::embed::{embedded, fits};
use super::file::SolvedFile;
use super::game::{Heights, SmallGame};
use super::lattice::Lattice;
use super::layer::LayerIndex;
use super::probe::Oracle;
use super::random::random_state;
use super::run::SolveError;
use super::shape::MOST_SQUARES;
use super::solver::{Layers, Room, Solver};
use super::state::SmallState;
use super::value::ExactValue;
use super::whole::{WholeError, WholeSearch};
use crate::jobs::Jobs;
use crate::prover::Prover;

/// The levels of the empty board.
const EMPTY: Heights = [0; MOST_SQUARES];

/// Checks the states of the layers of a file by their turns, those of one in
/// `step` levels. Turns of the highest layers lead beyond the file; unless it has
/// all layers, these are left to [`check_random`]. `report` gets the layers done.
/// Returns the states that were looked at; `None` if the work was stopped.
///
/// # Errors
/// The first state with a wrong value, or that the file is damaged.
pub fn check_file(
    file: &SolvedFile,
    jobs: Jobs,
    step: u64,
    mut report: impl FnMut(usize),
) -> Result<Option<u64>, SolveError> {
    let game = file.game();
    let solver = Solver::new(game, EMPTY, jobs, Room::Memory);
    let reach = game.most_raised();
    let mut layers = Layers::new();
    let mut count = 0;
    for total in (0..=file.kept()).rev() {
        let Some(index) = LayerIndex::new(game, solver.lattice(), total, &jobs) else {
            return Ok(None);
        };
        layers.truncate(reach);
        layers.push_front(file.layer(index)?);
        let needed = (total + reach).min(game.highest_total());
        if needed <= file.kept() {
            let checked = solver.check(&layers, step);
            count +=
                checked.map_err(|(state, found, expected)| wrong(game, &state, found, expected))?;
        }
        if jobs.is_stopped() {
            return Ok(None);
        }
        report(file.kept() - total + 1);
    }
    Ok(Some(count))
}

fn wrong(game: &SmallGame, state: &SmallState, found: u8, expected: u8) -> SolveError {
    SolveError::Wrong(state.text(game), ExactValue(found), ExactValue(expected))
}

/// What forward search found of random states.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct RandomCheck {
    /// States with the same value.
    pub same: u64,
    /// States that would have taken too many nodes.
    pub too_hard: u64,
    /// The nodes of all searches.
    pub nodes: u64,
}

/// Checks random states by forward search with at most `nodes` nodes for each
/// ply of distance; the same seed gives the same states. Returns `None` if the
/// work was stopped.
///
/// # Errors
/// The first state with another value, or that the file is damaged.
pub fn check_random(
    oracle: &mut Oracle,
    [states, seed, nodes]: [u64; 3],
    jobs: Jobs,
    mut report: impl FnMut(u64),
) -> Result<Option<RandomCheck>, SolveError> {
    let game = oracle.game().clone();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let states: Vec<SmallState> = (0..states).map(|_| random_state(&game, &mut rng)).collect();
    let mut check = RandomCheck::default();
    let prove = |number: u64| forward_value(&game, &states[number as usize], nodes);
    let all = 0..states.len() as u64;
    jobs.run(all, prove, |number, (proved, nodes)| {
        let state = &states[number as usize];
        check.nodes += nodes;
        match proved {
            None => check.too_hard += 1,
            Some(proved) => {
                let Some(value) = oracle.value(state)? else {
                    return Ok(());
                };
                if value != proved {
                    return Err(wrong(&game, state, value.0, proved.0));
                }
                check.same += 1;
            }
        }
        report(number + 1);
        Ok(())
    })?;
    Ok((!jobs.is_stopped()).then_some(check))
}

/// Checks every position that can come about from the empty board, as far as its layer
/// is in the file, by a search of the whole game with a table of at most `bytes` bytes.
/// `report` gets the positions done. Returns their number; `None` if the work was
/// stopped. Positions in which the player to move wins at once are not counted.
///
/// # Errors
/// The first position with another value, that the file is damaged, or that the
/// table is too small.
pub fn check_whole(
    file: &SolvedFile,
    bytes: u64,
    jobs: Jobs,
    mut report: impl FnMut(u64),
) -> Result<Option<u64>, SolveError> {
    let game = file.game();
    let lattice = Lattice::new(game, EMPTY);
    let mut layers = Vec::new();
    for total in 0..=file.kept() {
        let Some(index) = LayerIndex::new(game, &lattice, total, &jobs) else {
            return Ok(None);
        };
        layers.push(file.layer(index)?);
    }
    let mut done = 0;
    let search = WholeSearch::new(game, bytes, jobs, |state, proved| {
        let Some(layer) = layers.get(state.total()) else {
            return Ok(());
        };
        let value = layer.byte(game, &lattice, state);
        if value != proved.0 {
            return Err(wrong(game, state, value, proved.0));
        }
        done += 1;
        if done % (1 << 16) == 0 {
            report(done);
        }
        Ok(())
    });
    let end = if fits::<5>(game) {
        search.run::<5>()
    } else {
        search.run::<6>()
    };
    match end {
        Ok(_) => Ok(Some(done)),
        Err(WholeError::Stopped) => Ok(None),
        Err(WholeError::FullTable(most)) => Err(SolveError::FullTable(most)),
        Err(WholeError::Found(error)) => Err(error),
    }
}

/// The memory of a prover's table.
const TABLE_MIB: usize = 64;

/// The value of a state by forward search, with the nodes that it took.
fn forward_value(game: &SmallGame, state: &SmallState, nodes: u64) -> (Option<ExactValue>, u64) {
    fn search<const N: usize>(
        game: &SmallGame,
        state: &SmallState,
        nodes: u64,
    ) -> (Option<ExactValue>, u64) {
        let mut prover = Prover::<N>::new(TABLE_MIB);
        let most = (game.highest_total() - state.total() + 1) as u32;
        let distance = prover.distance(&embedded(game, state), most, nodes);
        (distance.map(ExactValue::in_plies), prover.nodes())
    }
    if fits::<5>(game) {
        search::<5>(game, state, nodes)
    } else {
        search::<6>(game, state, nodes)
    }
}
