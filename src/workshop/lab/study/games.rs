//! Experiments made of games between pairs of agents.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use serde::{Deserialize, Serialize};

use super::prose::Prose;
use super::section::{Finding, Section};
use super::store::{Misfit, check_row};
use super::tally::Tally;
use super::{Experiment, StudySettings, cannot_learn, stopped};
use crate::chart::Picture;
use crate::lab::Fault;
use crate::lab::factory::Factory;
use crate::lab::games::Match;
use crate::lab::spec::AgentSpec;
use crate::mutex::MutexExt as _;
use crate::openings::Openings;
use crate::seeds::derive_seed;
use crate::table::Table;

/// An agent that joins the ladder and plays against random.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use rand::SeedableRng;
/// use santorini::jobs::Jobs;
/// use santorini::lab::factory::Factory;
/// use santorini::lab::study::{Contestant, Store, StudySettings, all};
/// use santorini::lab::{Random, Rng};
///
/// // Any agent of your own; see `santorini::lab::Agent`.
/// let dice = Factory::of_agent("dice", |seed| {
///     Box::new(Random { rng: Rng::seed_from_u64(seed) })
/// });
/// let contestants = [Contestant { name: "dice".into(), factory: dice }];
/// let settings = StudySettings { seed: 1, quick: true };
/// let folder = tempfile::tempdir()?;
/// let store = Store::open(folder.path(), settings, &["dice".into()], false)?;
/// let stop = AtomicBool::new(false);
/// let jobs = Jobs { threads: 2, stop: &stop };
/// let experiments = all(settings, &contestants);
/// let ladder = experiments.iter().find(|experiment| experiment.name() == "ladder").unwrap();
/// assert!(ladder.complete(&store, &jobs, &mut |_, _| {})?.is_continue());
/// let section = ladder.results(&store)?.unwrap();
/// assert!(section.table.text().contains("dice"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Contestant {
    /// Its name in tables and charts, different from all built-in agents.
    pub name: String,
    /// Makes the agent for each game.
    pub factory: Factory,
}

/// Two agents that play each other.
pub(super) struct Matchup {
    /// The line or bar of the chart.
    pub series: &'static str,
    pub agent: String,
    pub opponent: String,
    /// Matchups with the same number use the same seeds.
    pub seeds: u64,
}

impl Matchup {
    pub(super) fn new(
        series: &'static str,
        agent: impl Into<String>,
        opponent: &str,
        seeds: u64,
    ) -> Self {
        Self {
            series,
            agent: agent.into(),
            opponent: opponent.into(),
            seeds,
        }
    }
}

/// An experiment made of matchups. The seats are swapped after every game.
pub(super) struct Matchups {
    /// The name on the command line and of the files.
    pub name: &'static str,
    pub prose: Prose,
    /// The games of each matchup.
    pub games: u64,
    pub matchups: Vec<Matchup>,
    pub chart: fn(&[Tally]) -> Picture,
    pub table: fn(&[Tally]) -> Table,
    pub findings: fn(&[Tally]) -> Vec<Finding>,
}

/// One game in the results file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct GameRow {
    pub series: String,
    pub agent: String,
    pub opponent: String,
    pub game: u64,
    /// The agent's seat: 1 if it moved first, else 2.
    pub seat: u8,
    /// 1 if the agent won, 0 if its opponent did.
    pub won: u8,
    pub turns: u64,
    /// The time of the whole game.
    pub seconds: f64,
    /// The agent's total time, its actions (placements and turns), and the time
    /// of the longest one.
    pub agent_seconds: f64,
    pub agent_actions: u64,
    pub agent_longest: f64,
    /// A checksum of the turns.
    pub moves: String,
}

impl GameRow {
    /// Whether the numbers agree with each other. The seats take turns, the last turn is the
    /// winner's, and each player also places its workers. Times are sums, each rounded in
    /// its own order.
    fn is_possible(&self) -> bool {
        let moves_first = self.seat == 1;
        let last_is_first = self.turns % 2 == 1;
        let own_turns = self.turns / 2 + u64::from(moves_first && last_is_first);
        let most = |time: f64| time * (1.0 + 1e-9);
        self.turns > 0
            && self.won == u8::from(moves_first == last_is_first)
            && self.agent_actions == own_turns + 1
            && self.agent_longest >= 0.0
            && self.agent_longest <= most(self.agent_seconds)
            && self.agent_seconds <= most(self.agent_longest * self.agent_actions as f64)
            && self.agent_seconds <= most(self.seconds)
    }
}

/// A matchup experiment with its settings.
pub(super) struct MatchupStudy {
    what: Matchups,
    contestants: Vec<Contestant>,
    seed: u64,
    /// The match of each matchup, created on first use.
    matches: Vec<Mutex<Option<Arc<Match>>>>,
}

impl MatchupStudy {
    pub(super) fn new(what: Matchups, settings: StudySettings, contestants: &[Contestant]) -> Self {
        let name: Vec<u64> = what.name.bytes().map(u64::from).collect();
        Self {
            seed: derive_seed(settings.seed, &name),
            contestants: contestants.to_vec(),
            matches: what.matchups.iter().map(|_| Mutex::default()).collect(),
            what,
        }
    }

    /// The match of a matchup. Other threads that need it wait until its agents have learned.
    ///
    /// # Errors
    /// If an agent cannot learn, or `stop` was set.
    fn game_match(&self, index: usize, stop: &AtomicBool) -> Result<Arc<Match>, Fault> {
        let mut created = self.matches[index].locked();
        if let Some(created) = &*created {
            return Ok(Arc::clone(created));
        }
        let matchup = &self.what.matchups[index];
        let seed = derive_seed(self.seed, &[matchup.seeds]);
        let player = |text: &String| {
            let joined = self.contestants.iter().find(|other| other.name == *text);
            if let Some(contestant) = joined {
                return Ok(contestant.factory.clone());
            }
            let spec: AgentSpec = text.parse().expect("the experiments' agents are valid");
            let made = Factory::new_until(&spec, seed, stop, &mut |_, _| {});
            made.map_err(cannot_learn)?.ok_or_else(stopped)
        };
        let new = Arc::new(Match {
            players: [player(&matchup.agent)?, player(&matchup.opponent)?],
            seed,
            swap: true,
            openings: Openings::SetUp,
        });
        Ok(Arc::clone(created.insert(new)))
    }
}

impl Experiment for MatchupStudy {
    type Row = GameRow;

    fn name(&self) -> &'static str {
        self.what.name
    }

    fn units(&self) -> u64 {
        self.what.matchups.len() as u64 * self.what.games
    }

    fn run(&self, unit: u64, stop: &AtomicBool) -> Result<Vec<GameRow>, Fault> {
        let (index, number) = ((unit / self.what.games) as usize, unit % self.what.games);
        let matchup = &self.what.matchups[index];
        let game = self.game_match(index, stop)?.play_until(number, stop)?;
        let game = game.ok_or_else(stopped)?;
        let seat = game.seat_of(0);
        let seconds: Vec<f64> = game.seconds_of(seat).collect();
        let turns = game.played.turns.iter().map(|turn| turn.bits().into());
        Ok(vec![GameRow {
            series: matchup.series.to_string(),
            agent: matchup.agent.clone(),
            opponent: matchup.opponent.clone(),
            game: number,
            seat: seat as u8 + 1,
            won: u8::from(game.winner() == 0),
            turns: game.played.turns.len() as u64,
            seconds: game.total_seconds(),
            agent_seconds: seconds.iter().sum(),
            agent_actions: seconds.len() as u64,
            agent_longest: seconds.into_iter().fold(0.0, f64::max),
            moves: format!("{:016x}", derive_seed(0, &turns.collect::<Vec<u64>>())),
        }])
    }

    fn check(&self, index: u64, row: &GameRow) -> Result<(), Misfit> {
        let matchup = &self.what.matchups[(index / self.what.games) as usize];
        let played = [matchup.series, &matchup.agent, &matchup.opponent];
        let number = index % self.what.games;
        // The seats are swapped after every game.
        let placed = [&row.series, &row.agent, &row.opponent] == played
            && (row.game, u64::from(row.seat)) == (number, 1 + number % 2);
        check_row(placed, row.is_possible())
    }

    fn section(&self, rows: &[GameRow]) -> Section {
        let what = &self.what;
        let tallies: Vec<Tally> = rows.chunks(what.games as usize).map(Tally::of).collect();
        what.prose.section(
            what.name,
            (what.chart)(&tallies),
            (what.table)(&tallies),
            (what.findings)(&tallies),
            &[("games", &what.games)],
        )
    }
}
