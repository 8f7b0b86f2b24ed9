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
use crate::jobs::NEVER;
use crate::levels::Handicap;
use crate::rules::{Bitboard, Geometry, Placement, Turn};
use crate::seeds::seeded;

/// Creates equal agents. A Q-table is learned or read once for all of them.
#[derive(Clone)]
pub struct Factory(Arc<Maker>);

/// Creates an agent for one game from a seed. Its searches end once the flag is set.
type Maker = dyn for<'a> Fn(u64, &'a AtomicBool) -> Box<dyn Agent + 'a> + Send + Sync;

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
        let made = Self::new_until(spec, seed, &NEVER, progress)?;
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
        Ok(Some(match spec {
            AgentSpec::Random => Self::of(|seed, _| Box::new(Random { rng: seeded(seed) })),
            &AgentSpec::Beginner { attention } => Self::of(move |seed, _| {
                let rng = seeded(seed);
                Box::new(Beginner { attention, rng })
            }),
            &AgentSpec::Minimax(search) => Self::of(move |seed, stop| {
                let rng = seeded(seed);
                Box::new(Minimax { search, rng, stop })
            }),
            &AgentSpec::MonteCarlo { episodes, rule } => Self::of(move |seed, stop| {
                let rng = seeded(seed);
                Box::new(MonteCarlo {
                    episodes,
                    rule,
                    rng,
                    stop,
                })
            }),
            AgentSpec::QLearning(source) => {
                let Some(table) = table_of(source, seed, stop, progress)? else {
                    return Ok(None);
                };
                Self::of_table(Arc::new(table))
            }
            &AgentSpec::Engine { budget, eval } => Self::of(move |seed, stop| {
                Box::new(EngineAgent::new(budget, eval, seeded(seed), stop))
            }),
            &AgentSpec::Level { strength, .. } => Self::of(move |seed, stop| {
                Box::new(LevelAgent::new(Handicap { strength, seed }, stop))
            }),
            #[cfg(feature = "program")]
            AgentSpec::Program(command) => {
                let command = command.clone();
                Self::of(move |_, stop| Box::new(Program::new(&command, stop)))
            }
        }))
    }

    /// Q-learning agents that share a table.
    pub fn of_table(table: Arc<QTable>) -> Self {
        Self::of(move |seed, _| {
            let (table, rng) = (Arc::clone(&table), seeded(seed));
            Box::new(QLearning { table, rng })
        })
    }

    /// A factory of your own agents: `make` creates one from a seed for each game. An illegal
    /// answer is a [`Fault`].
    pub fn of_agent(
        name: &str,
        make: impl Fn(u64) -> Box<dyn Agent> + Send + Sync + 'static,
    ) -> Self {
        let name: Arc<str> = name.into();
        Self::of(move |seed, _| {
            let (name, agent) = (name.clone(), make(seed));
            Box::new(Checked { name, agent })
        })
    }

    /// A factory of the agents that `make` creates from a seed and a stop flag.
    fn of(
        make: impl for<'a> Fn(u64, &'a AtomicBool) -> Box<dyn Agent + 'a> + Send + Sync + 'static,
    ) -> Self {
        Self(Arc::new(make))
    }

    /// An agent for one game.
    pub fn agent(&self, seed: u64) -> Box<dyn Agent> {
        self.agent_until(seed, &NEVER)
    }

    /// An agent for one game. Once `stop` is set it answers soon, with any legal action or a
    /// fault. Agents of your own ignore `stop`.
    pub fn agent_until<'a>(&self, seed: u64, stop: &'a AtomicBool) -> Box<dyn Agent + 'a> {
        (self.0)(seed, stop)
    }
}

/// The table of a Q-learning agent. Returns `None` soon after `stop` is set.
///
/// # Errors
/// If the table cannot be read or written, or there is no memory for it.
fn table_of(
    source: &TableSource,
    seed: u64,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(u32, u32),
) -> Result<Option<QTable>, TableFileError> {
    match source {
        TableSource::Load(path) => load(path).map(Some),
        TableSource::Learn {
            learning,
            save: file,
        } => {
            let table = learn_until(*learning, seed, stop, progress)?;
            if let (Some(table), Some(file)) = (&table, file) {
                save(table, file)?;
            }
            Ok(table)
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
        let taken: Bitboard = first.into_iter().flatten().collect();
        let is_free = |square| Geometry::<5>::BOARD.without(taken).has(square);
        if a == b || !is_free(a) || !is_free(b) {
            let wrong = "did not place its workers on two free spaces";
            return Err(Fault(format!("{} {wrong}", self.name)));
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
        let stop = AtomicBool::new(true);
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
