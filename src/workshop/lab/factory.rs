//! Creates the agents of a specification, one for each game.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::agent::{Agent, Board, Fault};
use super::beginner::Beginner;
use super::engine::EngineAgent;
use super::level::LevelAgent;
use super::minimax::Minimax;
use super::monte_carlo::MonteCarlo;
#[cfg(feature = "program")]
use super::program::Program;
use super::qlearning::{Learning, QLearning, QTable, TableFileError, Trainer, load, save};
use super::random::Random;
use super::spec::{AgentSpec, TableSource};
use crate::levels::Handicap;
use crate::rules::{Geometry, Placement, Turn};
use crate::seeds::seeded;

/// Creates equal agents. A Q-table is learned or read once for all of them.
#[derive(Clone)]
pub struct Factory(Kind);

#[derive(Clone)]
enum Kind {
    Spec {
        spec: AgentSpec,
        /// The table of a Q-learning agent.
        table: Option<Arc<QTable>>,
    },
    /// Agents of a library user, with their name.
    Other(Arc<str>, Arc<Maker>),
}

/// Creates an agent for one game from a seed.
type Maker = dyn Fn(u64) -> Box<dyn Agent> + Send + Sync;

impl Factory {
    /// Prepares the agents of a specification. `seed` is for learning; `progress`
    /// receives the episodes done and their total.
    ///
    /// # Errors
    /// If a table cannot be read or written, or there is no memory for it.
    pub fn new(
        spec: &AgentSpec,
        seed: u64,
        progress: &mut dyn FnMut(u32, u32),
    ) -> Result<Self, TableFileError> {
        let made = Self::new_until(spec, seed, &AtomicBool::new(false), progress)?;
        Ok(made.expect("nothing stops it"))
    }

    /// Like [`Factory::new`], but returns `None` soon after `stop` is set, without writing
    /// a table.
    ///
    /// # Errors
    /// As [`Factory::new`].
    pub fn new_until(
        spec: &AgentSpec,
        seed: u64,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(u32, u32),
    ) -> Result<Option<Self>, TableFileError> {
        let table = match spec {
            AgentSpec::QLearning(TableSource::Load(path)) => Some(load(path)?),
            AgentSpec::QLearning(TableSource::Learn {
                learning,
                save: file,
            }) => {
                let Some(table) = learn_until(*learning, seed, stop, progress)? else {
                    return Ok(None);
                };
                if let Some(file) = file {
                    save(&table, file)?;
                }
                Some(table)
            }
            _ => None,
        };
        Ok(Some(Self(Kind::Spec {
            spec: spec.clone(),
            table: table.map(Arc::new),
        })))
    }

    /// Q-learning agents that share a table.
    pub fn of_table(table: Arc<QTable>) -> Self {
        Self(Kind::Spec {
            spec: AgentSpec::QLearning(TableSource::Learn {
                learning: Learning::default(),
                save: None,
            }),
            table: Some(table),
        })
    }

    /// A factory of your own agents: `make` creates one from a seed for each game. An illegal
    /// answer is a [`Fault`].
    pub fn of_agent(
        name: &str,
        make: impl Fn(u64) -> Box<dyn Agent> + Send + Sync + 'static,
    ) -> Self {
        Self(Kind::Other(name.into(), Arc::new(make)))
    }

    /// An agent for one game.
    pub fn agent(&self, seed: u64) -> Box<dyn Agent> {
        self.agent_until(seed, &Arc::default())
    }

    /// An agent for one game. Once `stop` is set it answers soon, with any legal action.
    /// Programs and agents of your own ignore `stop`.
    pub fn agent_until(&self, seed: u64, stop: &Arc<AtomicBool>) -> Box<dyn Agent> {
        let stop = Arc::clone(stop);
        let (spec, table) = match &self.0 {
            Kind::Spec { spec, table } => (spec, table),
            Kind::Other(name, make) => {
                return Box::new(Checked {
                    name: name.clone(),
                    agent: make(seed),
                });
            }
        };
        let rng = seeded(seed);
        match spec {
            AgentSpec::Random => Box::new(Random { rng }),
            &AgentSpec::Beginner { attention } => Box::new(Beginner { attention, rng }),
            AgentSpec::Minimax(search) => Box::new(Minimax {
                method: search.method,
                depth: search.depth,
                setup: search.setup,
                weights: search.weights,
                rng,
                stop,
            }),
            &AgentSpec::MonteCarlo { episodes, rule } => Box::new(MonteCarlo {
                episodes,
                rule,
                rng,
                stop,
            }),
            AgentSpec::QLearning(_) => Box::new(QLearning {
                table: table.clone().unwrap_or_default(),
                rng,
            }),
            &AgentSpec::Engine { budget, eval } => {
                Box::new(EngineAgent::new(budget, eval, rng, stop))
            }
            &AgentSpec::Level { strength, .. } => {
                Box::new(LevelAgent::new(Handicap { strength, seed }, stop))
            }
            #[cfg(feature = "program")]
            AgentSpec::Program(command) => Box::new(Program::new(command)),
        }
    }
}

/// Checks the answers of a library user's agent.
struct Checked {
    name: Arc<str>,
    agent: Box<dyn Agent>,
}

impl Agent for Checked {
    fn place(&mut self, first: Option<Placement>) -> Result<Placement, Fault> {
        let [a, b] = self.agent.place(first)?;
        let is_free = |square| {
            Geometry::<5>::BOARD.has(square) && !first.into_iter().flatten().any(|s| s == square)
        };
        if a == b || !is_free(a) || !is_free(b) {
            let name = &self.name;
            return Err(Fault(format!(
                "{name} did not place its workers on two free spaces"
            )));
        }
        Ok([a, b])
    }

    fn turn(&mut self, board: &Board) -> Result<Turn, Fault> {
        let turn = self.agent.turn(board)?;
        if !board.turns().contains(&turn) {
            let (name, turn) = (&self.name, turn.text::<5>());
            return Err(Fault(format!(
                "{name} played {turn} on {board}, which is illegal"
            )));
        }
        Ok(turn)
    }
}

/// Learns a new table. Returns `None` soon after `stop` is set.
///
/// # Errors
/// If there is no memory for the table.
pub(super) fn learn_until(
    learning: Learning,
    seed: u64,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Option<QTable>, TableFileError> {
    let mut trainer = Trainer::new(learning, seed);
    for episode in 0..learning.episodes {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        trainer.try_reserve()?;
        if episode % 1000 == 0 {
            progress(episode, learning.episodes);
        }
        trainer.episode();
    }
    Ok(Some(trainer.into_table()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::games::Match;
    use crate::openings::Openings;
    use crate::rules::Square;

    /// Always gives the same answers.
    struct Stubborn(Placement, Turn);

    impl Agent for Stubborn {
        fn place(&mut self, _: Option<Placement>) -> Result<Placement, Fault> {
            Ok(self.0)
        }

        fn turn(&mut self, _: &Board) -> Result<Turn, Fault> {
            Ok(self.1)
        }
    }

    fn fault(placement: [usize; 2], turn: &str) -> String {
        let turn = Turn::parse::<5>(turn).unwrap();
        let stubborn = Factory::of_agent("stubborn", move |_| {
            Box::new(Stubborn(placement.map(Square::new), turn))
        });
        let games = Match {
            players: [stubborn.clone(), stubborn],
            seed: 1,
            swap: false,
            openings: Openings::SetUp,
        };
        let Err(Fault(fault)) = games.play(0) else {
            panic!("an illegal answer is a fault");
        };
        fault
    }

    #[test]
    fn stopped_agents_answer_and_learn_no_longer() {
        let board: Board = "00000/00000/00000/00000/00000 b3d3 c2c4 0".parse().unwrap();
        let stop = Arc::new(AtomicBool::new(true));
        for text in [
            "alphabeta:depth=20,setup=20",
            "mc:episodes=100000000",
            "engine:nodes=1000000000",
            "engine:time=3600",
            "level:number=10,nodes=1000000000",
        ] {
            let factory = Factory::new(&text.parse().unwrap(), 1, &mut |_, _| {}).unwrap();
            // A turn or an error: a stopped search may have found none.
            let _ = factory.agent_until(1, &stop).turn(&board);
            let _ = factory.agent_until(1, &stop).place(None);
        }
        let learns = "qlearning:episodes=5000000".parse().unwrap();
        let made = Factory::new_until(&learns, 1, &stop, &mut |_, _| {});
        assert!(made.unwrap().is_none());
    }

    #[test]
    fn answers_of_own_agents_are_checked() {
        let places = "stubborn did not place its workers on two free spaces";
        assert_eq!(fault([3, 3], "a1-a2+a1"), places);
        assert_eq!(fault([3, 30], "a1-a2+a1"), places);
        // The second player takes the spaces of the first.
        assert_eq!(fault([3, 4], "a1-a2+a1"), places);
    }
}
