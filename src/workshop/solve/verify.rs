//! Checks a solved game with independent code: every state of the file by its turns, and
//! random states, or the whole game, by forward searches that share no code with the solver.

use super::embed::embedded_any;
use super::file::{PartFile, SolvedFile, WinnersFile};
use super::game::{Heights, SmallGame};
use super::height_ranking::HeightRanking;
use super::layer::LayerIndex;
use super::parts::{PartSolver, Parts};
use super::probe::Prober;
use super::random::random_state;
use super::run::SolveError;
use super::shape::MOST_SQUARES;
use super::solver::Solver;
use super::state::SmallState;
use super::storage::Storage;
use super::value::ExactValue;
use super::whole::WholeSearch;
use super::winners::WinnersSolver;
use crate::at_size;
use crate::jobs::Jobs;
use crate::prover::Prover;
use crate::seeds::seeded;

/// The levels of the empty board.
const EMPTY: Heights = [0; MOST_SQUARES];

/// Checks the states of every `step`th board of a file by their turns. The highest layers are
/// skipped if their turns lead to layers that are not kept; [`check_random`] checks those.
/// `report` gets the number of parts done and of all parts. Returns the number of states
/// checked.
///
/// # Errors
/// The first state with a wrong value, that the file is damaged, or that the work was
/// stopped.
pub fn check_file(
    file: &SolvedFile,
    jobs: Jobs,
    step: u64,
    report: impl FnMut(usize, usize),
) -> Result<u64, SolveError> {
    let solver = Solver::new(file.game(), EMPTY, jobs);
    check_parts(file, &solver, jobs, step, report)
}

/// Like [`check_file`], for a file of winners.
///
/// # Errors
/// As [`check_file`].
pub fn check_winners(
    file: &WinnersFile,
    jobs: Jobs,
    step: u64,
    report: impl FnMut(usize, usize),
) -> Result<u64, SolveError> {
    let solver = WinnersSolver::new(file.game(), jobs);
    check_parts(file, &solver, jobs, step, report)
}

fn check_parts<S: PartSolver>(
    file: &PartFile<S::Index>,
    solver: &S,
    jobs: Jobs,
    step: u64,
    mut report: impl FnMut(usize, usize),
) -> Result<u64, SolveError> {
    let all: Vec<_> = solver.sizes().iter().map(|size| size.name).collect();
    let held: Vec<_> = all.iter().filter(|&&name| file.has(name)).collect();
    let mut parts = Parts::<S::Index>::new();
    let mut count = 0;
    for (done, &&name) in (1..).zip(&held) {
        parts.retain(|&solved, _| solver.is_needed(solved, name));
        let part = file.part(solver.index(name)?, &Storage::Memory)?;
        parts.insert(name, part);
        let mut needed = all.iter().filter(|&&above| solver.is_needed(above, name));
        if needed.all(|above| parts.contains_key(above)) {
            count += solver.check(name, &parts, step)?;
        }
        if jobs.is_stopped() {
            return Err(SolveError::Stopped);
        }
        report(done, held.len());
    }
    Ok(count)
}

/// The result of checking random states by forward search.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct RandomCheck {
    /// States with the same value.
    pub same: u64,
    /// States skipped because their search takes too many nodes.
    pub too_hard: u64,
    /// The nodes of all searches.
    pub nodes: u64,
}

/// Checks random states by forward search with at most `nodes` nodes for each
/// ply of distance; the same seed gives the same states.
///
/// # Errors
/// The first state with another value, that the file is damaged, or that the work was
/// stopped.
pub fn check_random(
    prober: &mut Prober,
    [states, seed, nodes]: [u64; 3],
    jobs: Jobs,
    mut report: impl FnMut(u64),
) -> Result<RandomCheck, SolveError> {
    let game = prober.game().clone();
    let mut rng = seeded(seed);
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
                let value = prober.value(state)?;
                if value != proved {
                    return Err(SolveError::Wrong(state.text(&game), value, proved));
                }
                check.same += 1;
            }
        }
        report(number + 1);
        Ok(())
    })?;
    if jobs.is_stopped() {
        return Err(SolveError::Stopped);
    }
    Ok(check)
}

/// Checks every position reachable from the empty board whose layer is in the file, by a
/// search of the whole game with a table of at most `bytes` bytes. `report` gets the number
/// of positions checked. Returns the number of all. Positions with an immediate win are not
/// counted.
///
/// # Errors
/// The first position with another value, that the file is damaged, that the table is too
/// small, or that the work was stopped.
pub fn check_whole(
    file: &SolvedFile,
    bytes: u64,
    jobs: Jobs,
    mut report: impl FnMut(u64),
) -> Result<u64, SolveError> {
    let game = file.game();
    let ranking = HeightRanking::new(game, EMPTY);
    let mut layers = Vec::new();
    for total in 0..=file.kept() {
        let index = LayerIndex::new(game, &ranking, total, &jobs)?;
        layers.push(file.part(index, &Storage::Memory)?);
    }
    let mut done = 0;
    let search = WholeSearch::new(game, bytes, jobs, |state, proved| {
        let Some(layer) = layers.get(state.total()) else {
            return Ok(());
        };
        let value = layer.value(game, &ranking, state);
        if value != proved {
            return Err(SolveError::Wrong(state.text(game), value, proved));
        }
        done += 1;
        if done % (1 << 16) == 0 {
            report(done);
        }
        Ok(())
    });
    search.run()?;
    Ok(done)
}

/// The memory of a prover's table.
const TABLE_MIB: usize = 64;

/// The value of a state by forward search, and the nodes searched.
fn forward_value(game: &SmallGame, state: &SmallState, nodes: u64) -> (Option<ExactValue>, u64) {
    let most = (game.highest_total() - state.total() + 1) as u32;
    at_size!(embedded_any(game, state), position => {
        let mut prover = Prover::new(TABLE_MIB);
        let distance = prover.distance(&position, most, nodes);
        (distance.map(ExactValue::in_plies), prover.nodes())
    })
}
