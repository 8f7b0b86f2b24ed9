//! Makes the agents of a specification, one for each game.

use std::sync::Arc;

use rand::SeedableRng;

use super::agent::{Agent, Rng};
use super::engine::EngineAgent;
use super::level::LevelAgent;
use super::minimax::Minimax;
use super::monte_carlo::MonteCarlo;
use super::qlearning::{Learning, QLearning, QTable, TableFileError, Trainer, load, save};
use super::random::Random;
use super::spec::{AgentSpec, TableSource};
use crate::levels::Handicap;

/// Makes agents that all play alike. What they need to know beforehand is
/// learned, or read, once.
#[derive(Clone)]
pub struct Factory {
    spec: AgentSpec,
    /// What a Q-learning agent plays from.
    table: Option<Arc<QTable>>,
}

impl Factory {
    /// Prepares the agents of a specification; `seed` is that of learning,
    /// and `progress` is told how many episodes of how many are done.
    ///
    /// # Errors
    /// If a table cannot be read or written.
    pub fn new(
        spec: &AgentSpec,
        seed: u64,
        progress: &mut dyn FnMut(u32, u32),
    ) -> Result<Self, TableFileError> {
        let table = match spec {
            AgentSpec::QLearning(TableSource::Load(path)) => Some(load(path)?),
            AgentSpec::QLearning(TableSource::Learn {
                learning,
                save: file,
            }) => {
                let table = learn(*learning, seed, progress);
                if let Some(file) = file {
                    save(&table, file)?;
                }
                Some(table)
            }
            _ => None,
        };
        Ok(Self {
            spec: spec.clone(),
            table: table.map(Arc::new),
        })
    }

    /// Agents that play from a table.
    pub fn of_table(table: Arc<QTable>) -> Self {
        Self {
            spec: AgentSpec::QLearning(TableSource::Learn {
                learning: Learning::default(),
                save: None,
            }),
            table: Some(table),
        }
    }

    /// An agent for one game.
    pub fn agent(&self, seed: u64) -> Box<dyn Agent> {
        let rng = Rng::seed_from_u64(seed);
        match &self.spec {
            AgentSpec::Random => Box::new(Random { rng }),
            AgentSpec::Minimax(search) => Box::new(Minimax {
                method: search.method,
                depth: search.depth,
                setup: search.setup,
                weights: search.weights,
                rng,
            }),
            &AgentSpec::MonteCarlo { episodes, rule } => Box::new(MonteCarlo {
                episodes,
                rule,
                rng,
            }),
            AgentSpec::QLearning(_) => Box::new(QLearning {
                table: self.table.clone().unwrap_or_default(),
                rng,
            }),
            &AgentSpec::Engine { budget, eval } => Box::new(EngineAgent::new(budget, eval, rng)),
            &AgentSpec::Level { strength, .. } => {
                Box::new(LevelAgent::new(Handicap { strength, seed }))
            }
        }
    }
}

/// Learns a table from the start.
pub fn learn(learning: Learning, seed: u64, progress: &mut dyn FnMut(u32, u32)) -> QTable {
    let mut trainer = Trainer::new(learning, seed);
    for episode in 0..learning.episodes {
        if episode % 1000 == 0 {
            progress(episode, learning.episodes);
        }
        trainer.episode();
    }
    trainer.into_table()
}
