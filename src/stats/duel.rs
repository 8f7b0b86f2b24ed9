//! The comparison of two players by their games, as tables and JSON show it.

use serde::{Deserialize, Serialize};

use super::elo::{estimate, likelihood_of_superiority};
use super::frequencies::{GameCounts, PairCounts};
use super::sprt::{Decision, EloModel, Sprt, SprtError};

/// The parameters of the SPRT that ends a match of two players.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SprtSetting {
    pub elo0: f64,
    pub elo1: f64,
    pub alpha: f64,
    pub beta: f64,
    pub model: EloModel,
}

/// The comparison of two players, from the side of the first.
#[derive(Debug, Clone, Serialize)]
pub struct Duel {
    pub players: [String; 2],
    /// The games that the first player lost, drew and won.
    pub games: [u64; 3],
    /// The pairs in which the first player scored 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
    pub elo: Option<f64>,
    /// The 95% confidence interval.
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// The likelihood that the first player is the stronger one.
    pub los: f64,
    pub sprt: Option<SprtSummary>,
}

/// The state of an SPRT.
#[derive(Debug, Clone, Serialize)]
pub struct SprtSummary {
    #[serde(flatten)]
    pub setting: SprtSetting,
    pub llr: f64,
    pub lower: f64,
    pub upper: f64,
    /// `H0`, `H1`, or `None` while undecided.
    pub decision: Option<&'static str>,
}

impl SprtSetting {
    /// The test.
    ///
    /// # Errors
    /// If the parameters are not valid.
    pub fn test(&self) -> Result<Sprt, SprtError> {
        Sprt::new([self.elo0, self.elo1], self.alpha, self.beta, self.model)
    }
}

impl SprtSummary {
    /// The test with these pair counts; `None` if the parameters are not valid.
    pub fn of(setting: SprtSetting, pairs: &PairCounts) -> Option<Self> {
        let sprt = setting.test().ok()?;
        let [lower, upper] = sprt.bounds();
        Some(Self {
            setting,
            llr: sprt.log_likelihood_ratio(pairs),
            lower,
            upper,
            decision: sprt.decision(pairs).map(|decision| match decision {
                Decision::AcceptH0 => "H0",
                Decision::AcceptH1 => "H1",
            }),
        })
    }
}

impl Duel {
    /// Compares two players by their games and by the pairs that are complete.
    pub fn of(
        players: [String; 2],
        games: &GameCounts,
        pairs: &PairCounts,
        sprt: Option<SprtSetting>,
    ) -> Self {
        // Pairs give the better error, but only if every game has its pair.
        let paired = 2 * pairs.count() == games.count();
        let (elo, los) = if paired {
            (estimate(pairs), likelihood_of_superiority(pairs))
        } else {
            (estimate(games), likelihood_of_superiority(games))
        };
        Self {
            players,
            games: games.0,
            pairs: pairs.0,
            elo: elo.map(|elo| elo.elo),
            low: elo.map(|elo| elo.low),
            high: elo.map(|elo| elo.high),
            los,
            sprt: sprt.and_then(|setting| SprtSummary::of(setting, pairs)),
        }
    }
}
