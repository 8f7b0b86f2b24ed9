//! Agents by name and parameters, as on the command line:
//! `alphabeta:depth=3,eval=tuned`.
//!
//! | to see or change | look at |
//! |---|---|
//! | the list of agents, their help, parameters, defaults, bounds | `mod.rs` (here) |
//! | reading `name=value` | `params.rs` |
//! | creating an agent from its specification | `../factory.rs` |

mod params;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use params::AgentParams;

use super::engine::Budget;
use super::minimax::Method;
pub use super::minimax::SearchSpec;
use super::monte_carlo::Choice;
#[cfg(feature = "program")]
use super::program::ProgramCommand;
use super::qlearning::{Learning, Rule};
use crate::eval::{EvalKind, Weights};
use crate::levels::{Level, Strength};

/// Help text on the agents and their parameters.
pub const HELP: &str = "\
Agents are written NAME or NAME:PARAMETER=VALUE,PARAMETER=VALUE,...
  random       every legal action equally likely
  beginner     plays a win, climbs as high as it can, and otherwise moves and
               builds at random
    attention=A    the share of turns at which it sees the opponent's wins and
                   avoids turns that allow one, 0 to 1 [1]
  minimax      searches some plies deep and scores boards by a heuristic
    depth=D        plies searched for a turn (a whole turn is one), 1 to 20 [2]
    setup=D        maximum plies searched for a placement, 1 to 20 [2]
    eval=NAME      the weights of the heuristic: paper or tuned [paper]
    height= centre= mobility= distance= win=
                   single weights, -1000000 to 1000000 [from eval]
  alphabeta    the same actions by alpha-beta pruning; the same parameters
  mc           Monte Carlo: random games, then the action that won the most
    episodes=N     random games before each action, 1 to 100000000 [500]
    pick=HOW       the action with the most wins, or with the greatest share
                   of wins: wins or share [wins]
  qlearning    a table of values, learned in games against random
    episodes=N     games played while learning, 0 to 5000000 [10000]
    alpha=A        the learning rate, 0 to 1 [0.5]
    epsilon=E      the probability of a random action while learning [0.1]
    gamma=G        the discount of later rewards, 0 to 1 [0.9]
    rule=R         the update rule: standard, or printed as in the study
                   [standard]
    save=FILE      saves the learned table
    load=FILE      plays from a saved table and learns nothing
  engine       the search of this program
    time=S         seconds for each action, 0.001 to 3600 [0.1]
    nodes=N        nodes for each turn instead of a time, so that games repeat;
                   1 to 1000000000
    eval=NAME      the evaluation: network, tuned or paper [network]
  level        a playing strength for people
    number=N       the level, 1 (beginner) to full strength [1]
    nodes= lines= temperature= attention= alertness=
                   override settings of the level: nodes searched for a turn,
                   turns to choose among, randomness in hundredths of a
                   level, share of turns at which it sees the opponent's
                   wins, and its own
  program:CMD  any player program, with arguments if CMD has spaces; the
               environment variable SANTORINI_TIME holds its time limit";

/// An agent and its parameters.
#[derive(Clone, PartialEq, Debug)]
pub enum AgentSpec {
    /// Plays at random.
    Random,
    /// A simulated beginner.
    Beginner {
        /// The share of turns at which it sees the opponent's wins, from 0 to 1.
        attention: f64,
    },
    /// Minimax or alpha-beta to a fixed depth.
    Minimax(SearchSpec),
    /// Random games before each action.
    MonteCarlo {
        /// The games before each action.
        episodes: u32,
        /// How the games decide between the actions.
        rule: Choice,
    },
    /// A table of values, learned or loaded.
    QLearning(TableSource),
    /// The program's engine.
    Engine {
        /// The limit of each search.
        budget: Budget,
        /// The evaluation at the leaves.
        eval: EvalKind,
    },
    /// The engine at limited strength.
    Level {
        /// The level by number.
        level: Level,
        /// The strength that the level stands for.
        strength: Strength,
    },
    /// A player program outside this process.
    #[cfg(feature = "program")]
    Program(ProgramCommand),
}

/// The source of a Q-learning table.
#[derive(Clone, PartialEq, Debug)]
pub enum TableSource {
    /// Learn in games against random before the first game.
    Learn {
        /// The parameters of learning.
        learning: Learning,
        /// The file to write the table to, if any.
        save: Option<PathBuf>,
    },
    /// Read the table from this file.
    Load(PathBuf),
}

/// The names of the agents. The library without the feature `program` starts no
/// programs.
const AGENTS: &str = if cfg!(feature = "program") {
    "random, beginner, minimax, alphabeta, mc, qlearning, engine, level and program"
} else {
    "random, beginner, minimax, alphabeta, mc, qlearning, engine and level"
};

/// Why a text is not an agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// The word before the colon names no agent.
    #[error("no agent is called {0:?}; the agents are {AGENTS}")]
    UnknownAgent(String),
    /// The agent does not have the parameter.
    #[error("{agent} has no parameter {name:?}; it {known}")]
    UnknownParameter {
        /// The name of the agent.
        agent: &'static str,
        /// The name of the parameter, as given.
        name: String,
        /// The parameters that exist, as the end of a sentence.
        known: String,
    },
    /// An agent, and a part of its text without an equals sign.
    #[error("{0}: {1:?} is not of the form parameter=value")]
    Form(&'static str, String),
    /// An agent, and a parameter that it was given more than once.
    #[error("{0}: {1} is given twice")]
    Twice(&'static str, String),
    /// A parameter has a value out of range or of another type.
    #[error("{agent}: {name}={value} must be {right}")]
    Value {
        /// The name of the agent.
        agent: &'static str,
        /// The name of the parameter.
        name: &'static str,
        /// The value as given.
        value: String,
        /// A description of valid values.
        right: String,
    },
    /// The command of a program cannot be parsed.
    #[error("program:CMD: {0}")]
    Command(String),
    /// An agent, and two of its parameters that contradict each other.
    #[error("{0}: {1} and {2} cannot be combined")]
    Exclusive(&'static str, &'static str, &'static str),
}

impl AgentSpec {
    /// The file the agent reads its table from.
    pub fn file_read(&self) -> Option<&Path> {
        match self {
            Self::QLearning(TableSource::Load(path)) => Some(path),
            _ => None,
        }
    }

    /// The file the agent writes its table to.
    pub fn file_written(&self) -> Option<&Path> {
        match self {
            Self::QLearning(TableSource::Learn { save, .. }) => save.as_deref(),
            _ => None,
        }
    }
}

impl FromStr for AgentSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let params = |agent| AgentParams::new(agent, rest);
        match name {
            "random" => params("random")?.finish().map(|()| Self::Random),
            "beginner" => beginner(params("beginner")?),
            "minimax" => search(Method::Minimax, params("minimax")?),
            "alphabeta" => search(Method::AlphaBeta, params("alphabeta")?),
            "mc" => monte_carlo(params("mc")?),
            "qlearning" => qlearning(params("qlearning")?),
            "engine" => engine(params("engine")?),
            "level" => level(params("level")?),
            #[cfg(feature = "program")]
            "program" => {
                let command = rest.unwrap_or_default().parse();
                command.map(Self::Program).map_err(SpecError::Command)
            }
            _ => Err(SpecError::UnknownAgent(name.to_string())),
        }
    }
}

const RULES: [(&str, Rule); 2] = [("standard", Rule::Standard), ("printed", Rule::Printed)];
const CHOICES: [(&str, Choice); 2] = [("wins", Choice::Wins), ("share", Choice::Share)];
const EVALS: [(&str, Weights); 2] = [("paper", Weights::PAPER), ("tuned", Weights::TUNED)];
/// The maximum size of a weight: the heuristic's sum stays within `i32`.
const MOST_WEIGHT: i32 = 1_000_000;

fn beginner(mut params: AgentParams) -> Result<AgentSpec, SpecError> {
    let attention = params.number("attention", 1.0, 0.0..=1.0)?;
    params.finish()?;
    Ok(AgentSpec::Beginner { attention })
}

fn search(method: Method, mut params: AgentParams) -> Result<AgentSpec, SpecError> {
    let depth = params.number("depth", 2, 1..=20)?;
    let setup = params.number("setup", 2, 1..=20)?;
    let mut weights = params.choice("eval", Weights::PAPER, &EVALS)?;
    for (name, weight) in [
        ("height", &mut weights.height),
        ("centre", &mut weights.centre),
        ("mobility", &mut weights.mobility),
        ("distance", &mut weights.distance),
        ("win", &mut weights.win),
    ] {
        *weight = params.number(name, *weight, -MOST_WEIGHT..=MOST_WEIGHT)?;
    }
    params.finish()?;
    Ok(AgentSpec::Minimax(SearchSpec {
        method,
        depth,
        setup,
        weights,
    }))
}

fn monte_carlo(mut params: AgentParams) -> Result<AgentSpec, SpecError> {
    let episodes = params.number("episodes", 500, 1..=100_000_000)?;
    let rule = params.choice("pick", Choice::Wins, &CHOICES)?;
    params.finish()?;
    Ok(AgentSpec::MonteCarlo { episodes, rule })
}

fn qlearning(mut params: AgentParams) -> Result<AgentSpec, SpecError> {
    let load = params.text("load").map(PathBuf::from);
    let save = params.text("save").map(PathBuf::from);
    if save.is_some() && load.is_some() {
        return Err(SpecError::Exclusive("qlearning", "save", "load"));
    }
    let default = Learning::default();
    let learning = Learning {
        episodes: params.number("episodes", default.episodes, 0..=5_000_000)?,
        alpha: params.number("alpha", default.alpha, 0.0..=1.0)?,
        epsilon: params.number("epsilon", default.epsilon, 0.0..=1.0)?,
        gamma: params.number("gamma", default.gamma, 0.0..=1.0)?,
        rule: params.choice("rule", default.rule, &RULES)?,
    };
    params.finish()?;
    let learned = "learning parameters";
    match load {
        None => Ok(AgentSpec::QLearning(TableSource::Learn { learning, save })),
        Some(path) if learning == default => Ok(AgentSpec::QLearning(TableSource::Load(path))),
        Some(_) => Err(SpecError::Exclusive("qlearning", "load", learned)),
    }
}

fn engine(mut params: AgentParams) -> Result<AgentSpec, SpecError> {
    let nodes = params.optional_number("nodes", 1..=1_000_000_000)?;
    let seconds = params.optional_number("time", 0.001..=3600.0)?;
    let evals = [
        ("network", EvalKind::network()),
        ("tuned", EvalKind::Weighted(Weights::TUNED)),
        ("paper", EvalKind::Weighted(Weights::PAPER)),
    ];
    let eval = params.choice("eval", EvalKind::network(), &evals)?;
    params.finish()?;
    let budget = match (nodes, seconds) {
        (Some(_), Some(_)) => return Err(SpecError::Exclusive("engine", "time", "nodes")),
        (Some(nodes), None) => Budget::Nodes(nodes),
        (None, seconds) => Budget::Time(Duration::from_secs_f64(seconds.unwrap_or(0.1))),
    };
    Ok(AgentSpec::Engine { budget, eval })
}

fn level(mut params: AgentParams) -> Result<AgentSpec, SpecError> {
    let number = params.number("number", 1, 1..=Level::HIGHEST.number())?;
    let level = Level::new(number).unwrap_or(Level::LOWEST);
    let usual = level.strength();
    let strength = Strength {
        nodes: params.number("nodes", usual.nodes, 0..=1_000_000_000)?,
        lines: params.number("lines", usual.lines, 1..=1000)?,
        temperature: params.number("temperature", usual.temperature, 0.0..=100_000.0)?,
        attention: params.number("attention", usual.attention, 0.0..=1.0)?,
        alertness: params.number("alertness", usual.alertness, 0.0..=1.0)?,
        ..usual
    };
    params.finish()?;
    Ok(AgentSpec::Level { level, strength })
}

/// Writes the main parameter and those that differ from the default. The text
/// parses back to the same agent.
impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Random => "random".to_string(),
            Self::Beginner { attention } => format!("beginner:attention={attention}"),
            Self::Minimax(search) => search_text(search),
            Self::MonteCarlo { episodes, rule } => {
                let pick = match rule {
                    Choice::Wins => "",
                    Choice::Share => ",pick=share",
                };
                format!("mc:episodes={episodes}{pick}")
            }
            Self::QLearning(TableSource::Load(path)) => {
                format!("qlearning:load={}", path.display())
            }
            Self::QLearning(TableSource::Learn { learning, save }) => {
                let save = save.iter().map(|path| format!(",save={}", path.display()));
                learning_text(learning) + &save.collect::<String>()
            }
            &Self::Engine { budget, eval } => engine_text(budget, eval),
            Self::Level { level, strength } => level_text(*level, strength),
            #[cfg(feature = "program")]
            Self::Program(command) => format!("program:{}", command.text),
        };
        f.pad(&text)
    }
}

fn search_text(search: &SearchSpec) -> String {
    let name = match search.method {
        Method::Minimax => "minimax",
        Method::AlphaBeta => "alphabeta",
    };
    let setup = changed([("setup", search.setup, 2)]);
    let text = format!("{name}:depth={}{setup}", search.depth);
    let (weights, paper) = (search.weights, Weights::PAPER);
    if weights == Weights::TUNED {
        return text + ",eval=tuned";
    }
    text + &changed([
        ("height", weights.height, paper.height),
        ("centre", weights.centre, paper.centre),
        ("mobility", weights.mobility, paper.mobility),
        ("distance", weights.distance, paper.distance),
        ("win", weights.win, paper.win),
    ])
}

/// The parameters that differ from their defaults.
fn changed<T: PartialEq + fmt::Display, const K: usize>(parameters: [(&str, T, T); K]) -> String {
    let changed = parameters.iter().filter(|(_, value, usual)| value != usual);
    changed
        .map(|(name, value, _)| format!(",{name}={value}"))
        .collect()
}

fn engine_text(budget: Budget, eval: EvalKind) -> String {
    let mut text = match budget {
        Budget::Time(time) => format!("engine:time={}", time.as_secs_f64()),
        Budget::Nodes(nodes) => format!("engine:nodes={nodes}"),
    };
    if eval == EvalKind::Weighted(Weights::TUNED) {
        text += ",eval=tuned";
    } else if eval == EvalKind::Weighted(Weights::PAPER) {
        text += ",eval=paper";
    }
    text
}

fn level_text(level: Level, strength: &Strength) -> String {
    let usual = level.strength();
    let changed = changed([
        ("nodes", strength.nodes as f64, usual.nodes as f64),
        ("lines", strength.lines as f64, usual.lines as f64),
        ("temperature", strength.temperature, usual.temperature),
        ("attention", strength.attention, usual.attention),
        ("alertness", strength.alertness, usual.alertness),
    ]);
    format!("level:number={level}{changed}")
}

fn learning_text(learning: &Learning) -> String {
    let usual = Learning::default();
    let changed = changed([
        ("alpha", learning.alpha, usual.alpha),
        ("epsilon", learning.epsilon, usual.epsilon),
        ("gamma", learning.gamma, usual.gamma),
    ]);
    let rule = match learning.rule {
        Rule::Standard => "",
        Rule::Printed => ",rule=printed",
    };
    format!("qlearning:episodes={}{changed}{rule}", learning.episodes)
}

#[cfg(all(test, feature = "program"))]
mod tests;
