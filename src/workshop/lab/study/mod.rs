//! The experiments of the study, and a rating ladder. Each one plays its games,
//! saves the raw results, draws charts, and compares them with the study.
//!
//! | to see or change | look at |
//! |---|---|
//! | the experiment trait, the list of experiments, running one | `mod.rs` (here) |
//! | Fig. 2: Q-learning by training episodes | `training.rs` |
//! | Figs. 3 to 5: average rewards by alpha, epsilon, gamma | `rewards.rs` |
//! | experiments made of games between pairs of agents | `games.rs` |
//! | sums of their games, chart lines and table columns | `tally.rs` |
//! | run time of minimax and alpha-beta | `runtime.rs` |
//! | the work behind the run times | `costs.rs` |
//! | every agent against random | `against_random.rs` |
//! | Fig. 6: alpha-beta by depth | `depth.rs` |
//! | Fig. 7: Monte Carlo by episodes | `episodes.rs` |
//! | the rating ladder of all agents | `ladder.rs` |
//! | raw results as JSON lines, resuming | `store.rs` |
//! | the text, findings and tables, the report | `text/`, `prose.rs`, `section.rs`, `report.rs` |
//!
//! | to add | change |
//! |---|---|
//! | an experiment | a file of its own, its text in `text/`, its line in `all` and `HELP` in `mod.rs` |
//! | a chart or a table of an experiment | the file of the experiment; a second chart goes to `Section::figures`, as in `training.rs`; shared columns in `tally.rs`, kinds of charts in `src/base/chart/` |

mod against_random;
mod costs;
mod depth;
mod episodes;
mod games;
mod ladder;
mod prose;
mod report;
mod rewards;
mod runtime;
mod section;
mod store;
mod tally;
mod training;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use serde::{Serialize, de::DeserializeOwned};

pub use games::Contestant;
pub use report::report;
pub use section::{Figure, Finding, Holds, Section};
pub use store::{Store, StoreError, StudySettings};

use super::Fault;
use super::agent::stopped;
use super::qlearning::TableFileError;
use crate::jobs::Jobs;
use games::MatchupStudy;
use store::{Misfit, ResultFile};

/// An experiment: units of work in any order, and the report on their results.
trait Experiment: Sync {
    /// One line of the results file.
    type Row: Serialize + DeserializeOwned + Send + 'static;

    /// The name on the command line and of the files.
    fn name(&self) -> &'static str;

    /// The number of units.
    fn units(&self) -> u64;

    /// The number of rows of one unit.
    fn rows_per_unit(&self) -> usize {
        1
    }

    /// Runs one unit. The result depends only on its number and the settings.
    ///
    /// # Errors
    /// If an agent has no answer, there is no memory for a Q-table, or `stop` was set.
    fn run(&self, unit: u64, stop: &AtomicBool) -> Result<Vec<Self::Row>, Fault>;

    /// Checks row number `index` of the results file.
    ///
    /// # Errors
    /// If it is another row than the one that belongs there, or its numbers are impossible.
    fn check(&self, index: u64, row: &Self::Row) -> Result<(), Misfit>;

    /// The report on all results.
    fn section(&self, rows: &[Self::Row]) -> Section;
}

/// Why an experiment failed.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// The results cannot be read or saved.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An agent failed in a game, or could not learn.
    #[error("{0}\nthe results so far are saved")]
    Fault(#[from] Fault),
}

/// An experiment of any kind.
pub trait AnyExperiment {
    /// The name on the command line and of the files.
    fn name(&self) -> &'static str;

    /// Runs the units that are missing. `progress` receives the units done and
    /// their total. Returns `Break` if it was stopped.
    ///
    /// # Errors
    /// If results cannot be read or written, or an agent has no answer or cannot learn.
    fn complete(
        &self,
        store: &Store,
        jobs: &Jobs,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<ControlFlow<()>, ExperimentError>;

    /// The report on the results, or `None` if they are incomplete.
    ///
    /// # Errors
    /// If results cannot be read or drawn.
    fn results(&self, store: &Store) -> Result<Option<Section>, ExperimentError>;
}

impl<E: Experiment> AnyExperiment for E {
    fn name(&self) -> &'static str {
        Experiment::name(self)
    }

    fn complete(
        &self,
        store: &Store,
        jobs: &Jobs,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<ControlFlow<()>, ExperimentError> {
        let units = self.units();
        let done = read(self, store)?;
        if done.units == units {
            return Ok(ControlFlow::Continue(()));
        }
        let mut appender = done.appender()?;
        let mut finished = done.units;
        let run = jobs.run(
            done.units..units,
            |unit| self.run(unit, jobs.stop),
            |_, rows| -> Result<(), ExperimentError> {
                appender.append(&rows?)?;
                finished += 1;
                progress(finished, units);
                Ok(())
            },
        );
        match run {
            // The unit may have been stopped.
            Err(ExperimentError::Fault(_)) if jobs.is_stopped() => {}
            run => run?,
        }
        Ok(if finished == units {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        })
    }

    fn results(&self, store: &Store) -> Result<Option<Section>, ExperimentError> {
        let results = read(self, store)?;
        let is_complete = results.units == self.units();
        Ok(is_complete.then(|| self.section(&results.rows)))
    }
}

/// The fault of an agent that cannot learn.
fn cannot_learn(error: TableFileError) -> Fault {
    Fault(match error {
        TableFileError::Memory(_) => {
            "not enough memory to learn a Q-table: use fewer --jobs, or raise the memory limit"
                .into()
        }
        other => other.to_string(),
    })
}

/// The results of the complete units of an experiment.
fn read<E: Experiment>(experiment: &E, store: &Store) -> Result<ResultFile<E::Row>, StoreError> {
    let name = Experiment::name(experiment);
    let units = experiment.units();
    let check = |index, row: &E::Row| experiment.check(index, row);
    ResultFile::read(store, name, experiment.rows_per_unit(), units, check)
}

/// The experiments in which the contestants play.
pub const WITH_CONTESTANTS: [&str; 2] = ["random", "ladder"];

/// All experiments, in the order of the study. The contestants play in those of
/// [`WITH_CONTESTANTS`].
pub fn all(settings: StudySettings, contestants: &[Contestant]) -> Vec<Box<dyn AnyExperiment>> {
    let mut all: Vec<Box<dyn AnyExperiment>> = vec![Box::new(training::Training::new(settings))];
    for sweep in rewards::SWEEPS {
        all.push(Box::new(rewards::Rewards::new(sweep, settings)));
    }
    let more: Vec<&str> = contestants
        .iter()
        .map(|agent| agent.name.as_str())
        .collect();
    for matchups in [
        runtime::matchups(settings),
        against_random::matchups(settings, &more),
        depth::matchups(settings),
        episodes::matchups(settings),
        ladder::matchups(settings, &more),
    ] {
        all.push(Box::new(MatchupStudy::new(matchups, settings, contestants)));
    }
    all
}

/// Help text on the experiments.
pub const HELP: &str = "  \
  fig2       Q-learning's win rate against random by training episodes
  fig3       average reward while learning, for values of alpha
  fig4       the same for epsilon
  fig5       the same for gamma
  runtime    run time of minimax and alpha-beta, depth 2, against random
  random     every agent against random
  fig6       alpha-beta against Monte Carlo, by search depth
  fig7       Monte Carlo against alpha-beta, by episodes
  ladder     ratings of all agents, including this program's engine
  all        all of these";

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::training::Training;
    use super::*;

    #[test]
    fn a_stop_ends_learning_and_the_experiment_can_be_resumed() {
        let settings = |quick| StudySettings { seed: 1, quick };
        let longest = Training::new(settings(false));
        let last = longest.units() - 1;
        assert_eq!(
            longest.run(last, &AtomicBool::new(true)).unwrap_err(),
            stopped()
        );

        for experiment in &all(settings(true), &[])[..2] {
            let folder = tempfile::tempdir().unwrap();
            let store = Store::open(folder.path(), settings(true), &[], false).unwrap();
            let stop = AtomicBool::new(false);
            let jobs = Jobs {
                threads: 2,
                stop: &stop,
            };
            let set_stop = &mut |_, _| stop.store(true, Ordering::Relaxed);
            assert!(
                experiment
                    .complete(&store, &jobs, set_stop)
                    .unwrap()
                    .is_break()
            );
            let jobs = Jobs::unstoppable(2);
            let resumed = experiment.complete(&store, &jobs, &mut |_, _| {});
            assert!(resumed.unwrap().is_continue());
        }
    }
}
