//! Experiments that are made of games between pairs of agents.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::section::Section;
use super::{Experiment, Settings};
use crate::chart::{ChartError, Measured};
use crate::lab::factory::Factory;
use crate::lab::games::Match;
use crate::lab::spec::AgentSpec;
use crate::seeds::derive_seed;
use crate::stats::{Z95, win_interval};

/// One game as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameRow {
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
    /// The agent's own time, for so many actions (a placement or a turn), and
    /// its longest one.
    pub agent_seconds: f64,
    pub agent_actions: u64,
    pub agent_longest: f64,
    /// A checksum of the turns: equal games have equal ones.
    pub moves: String,
}

/// Two agents that play each other.
pub struct Pairing {
    /// Which line or bar of the chart the games belong to.
    pub series: &'static str,
    pub agent: String,
    pub opponent: String,
    /// Pairings with the same number have the same seeds.
    pub seeds: u64,
}

/// Games between some pairs of agents, as many for each. The seats are
/// swapped after every game.
pub struct Games {
    name: &'static str,
    pairings: Vec<Pairing>,
    games: u64,
    seed: u64,
    matches: Vec<OnceLock<Match>>,
    section: fn(&[Tally]) -> Result<Section, ChartError>,
}

impl Games {
    pub fn new(
        name: &'static str,
        pairings: Vec<Pairing>,
        games: u64,
        settings: Settings,
        section: fn(&[Tally]) -> Result<Section, ChartError>,
    ) -> Self {
        let matches = pairings.iter().map(|_| OnceLock::new()).collect();
        let seed = name.bytes().map(u64::from).collect::<Vec<u64>>();
        Self {
            name,
            pairings,
            games,
            seed: derive_seed(settings.seed, &seed),
            matches,
            section,
        }
    }

    /// The match of a pairing; its agents learn what they need the first time.
    fn game_match(&self, index: usize) -> &Match {
        self.matches[index].get_or_init(|| {
            let pairing = &self.pairings[index];
            let seed = derive_seed(self.seed, &[pairing.seeds]);
            let players = [&pairing.agent, &pairing.opponent].map(|text| {
                let spec: AgentSpec = text.parse().expect("the experiments' agents are valid");
                Factory::new(&spec, seed, &mut |_, _| {})
                    .expect("the experiments' agents read no files")
            });
            Match {
                players,
                seed,
                swap: true,
                opening: None,
            }
        })
    }
}

impl Experiment for Games {
    type Row = GameRow;

    fn name(&self) -> &'static str {
        self.name
    }

    fn units(&self) -> u64 {
        self.pairings.len() as u64 * self.games
    }

    fn run(&self, unit: u64) -> Vec<GameRow> {
        let (index, number) = ((unit / self.games) as usize, unit % self.games);
        let pairing = &self.pairings[index];
        let game = self.game_match(index).play(number);
        let seat = game.seat_of(0);
        let seconds: Vec<f64> = game.seconds_of(seat).collect();
        let turns = game.played.turns.iter().map(|turn| turn.bits().into());
        vec![GameRow {
            series: pairing.series.to_string(),
            agent: pairing.agent.clone(),
            opponent: pairing.opponent.clone(),
            game: number,
            seat: seat as u8 + 1,
            won: u8::from(game.winner() == 0),
            turns: game.played.turns.len() as u64,
            seconds: game.total_seconds(),
            agent_seconds: seconds.iter().sum(),
            agent_actions: seconds.len() as u64,
            agent_longest: seconds.into_iter().fold(0.0, f64::max),
            moves: format!("{:016x}", derive_seed(0, &turns.collect::<Vec<u64>>())),
        }]
    }

    fn section(&self, rows: &[GameRow]) -> Result<Section, ChartError> {
        let tallies: Vec<Tally> = rows.chunks(self.games as usize).map(Tally::of).collect();
        (self.section)(&tallies)
    }
}

/// The games of one pairing added up.
#[derive(Clone, Debug)]
pub struct Tally {
    pub series: String,
    pub agent: String,
    pub opponent: String,
    pub games: u64,
    pub won: u64,
    /// Turns a game on the mean.
    pub turns: f64,
    /// The mean time of a game with its confidence interval.
    pub game_seconds: Measured,
    /// The agent's mean time for an action, and its longest.
    pub action_seconds: f64,
    pub longest_action: f64,
    pub moves: Vec<String>,
}

impl Tally {
    fn of(rows: &[GameRow]) -> Self {
        let sum = |value: fn(&GameRow) -> f64| rows.iter().map(value).sum::<f64>();
        let count = rows.len() as f64;
        let seconds: Vec<f64> = rows.iter().map(|row| row.seconds).collect();
        Self {
            series: rows[0].series.clone(),
            agent: rows[0].agent.clone(),
            opponent: rows[0].opponent.clone(),
            games: rows.len() as u64,
            won: rows.iter().map(|row| u64::from(row.won)).sum(),
            turns: sum(|row| row.turns as f64) / count,
            game_seconds: mean(&seconds),
            action_seconds: sum(|row| row.agent_seconds) / sum(|row| row.agent_actions as f64),
            longest_action: rows.iter().map(|row| row.agent_longest).fold(0.0, f64::max),
            moves: rows.iter().map(|row| row.moves.clone()).collect(),
        }
    }

    /// The agent's share of the games with its confidence interval.
    pub fn win_rate(&self) -> Measured {
        win_rate(self.won, self.games)
    }
}

/// The tallies of each series; those of one series stand together.
pub fn by_series(tallies: &[Tally]) -> Vec<&[Tally]> {
    tallies.chunk_by(|a, b| a.series == b.series).collect()
}

/// A share of games with its 95% confidence interval.
pub fn win_rate(won: u64, games: u64) -> Measured {
    let [low, high] = win_interval(won, games).unwrap_or([0.0, 1.0]);
    Measured {
        value: won as f64 / games.max(1) as f64,
        low,
        high,
    }
}

/// Whether two shares of games differ by more than chance, 95% sure. The
/// interval of the difference is made of those of the shares (R. Newcombe,
/// "Interval estimation for the difference between independent proportions",
/// Statistics in Medicine 17, 1998, method 10).
pub fn differ(a: &Measured, b: &Measured) -> bool {
    let [low, high] = if a.value <= b.value { [a, b] } else { [b, a] };
    let error = (high.value - high.low).hypot(low.high - low.value);
    high.value - low.value > error
}

/// The mean of some numbers with its 95% confidence interval, by the normal
/// approximation.
pub fn mean(numbers: &[f64]) -> Measured {
    let count = numbers.len().max(1) as f64;
    let value = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|number| (number - value).powi(2)).sum();
    let error = Z95 * (squares / (count - 1.0).max(1.0) / count).sqrt();
    Measured {
        value,
        low: value - error,
        high: value + error,
    }
}

/// `98% [93%, 99%]`.
pub fn rate_text(rate: &Measured) -> String {
    let Measured { value, low, high } = *rate;
    format!(
        "{:.0}% [{:.0}%, {:.0}%]",
        100.0 * value,
        100.0 * low,
        100.0 * high
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_differ_if_chance_does_not_explain_it() {
        let differs = |a: [u64; 2], b: [u64; 2]| {
            let [a, b] = [a, b].map(|[won, games]| win_rate(won, games));
            assert_eq!(differ(&a, &b), differ(&b, &a));
            differ(&a, &b)
        };
        // Newcombe's examples (a) and (h): 0.0524 to 0.3339, and 0 of 10
        // against 0 of 10.
        assert!(differs([56, 70], [48, 80]));
        assert!(!differs([0, 10], [0, 10]));
        assert!(!differs([100, 100], [99, 100]));
        assert!(differs([100, 100], [90, 100]));
        assert!(!differs([2, 4], [4, 4]));
    }

    #[test]
    fn the_mean_has_an_interval_around_it() {
        let measured = mean(&[1.0, 2.0, 3.0, 2.0]);
        assert_eq!(measured.value, 2.0);
        // The variance is 2/3, that of the mean a quarter of it.
        let error = Z95 * (2.0_f64 / 12.0).sqrt();
        assert!((measured.high - 2.0 - error).abs() < 1e-12);
        assert!((2.0 - measured.low - error).abs() < 1e-12);
    }
}
