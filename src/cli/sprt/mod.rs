//! Sequential tests (SPRT).
//!
//! | to see or change | look at |
//! |---|---|
//! | the options, shared by all commands that compare two players | `mod.rs` (here) |
//! | `santorini sprt` | `command.rs` |

pub(super) mod command;

use super::CliError;
use crate::stats::{EloModel, SprtSetting};

/// When a match ends early.
#[derive(clap::Args)]
pub(super) struct SprtArgs {
    /// Stop when a sequential test (SPRT) on pairs of games has decided whether the
    /// first of two players is ELO0 or ELO1 stronger than the second.
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_hyphen_values = true)]
    sprt: Option<Vec<f64>>,
    /// The probability that the test accepts ELO1 when ELO0 is true.
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    alpha: f64,
    /// The probability that the test accepts ELO0 when ELO1 is true.
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    beta: f64,
    /// The unit of ELO0 and ELO1.
    #[arg(long, value_name = "MODEL", value_enum, default_value_t = ModelArg::Logistic, requires = "sprt")]
    sprt_model: ModelArg,
}

/// [`EloModel`], as an option.
#[derive(Clone, Copy, clap::ValueEnum)]
enum ModelArg {
    /// The usual Elo, computed from the mean score.
    Logistic,
    /// The mean score minus one half, in standard deviations of a game, times
    /// 800 / ln 10. The length of a test depends on this value alone.
    Normalized,
}

impl From<ModelArg> for EloModel {
    fn from(model: ModelArg) -> Self {
        match model {
            ModelArg::Logistic => Self::Logistic,
            ModelArg::Normalized => Self::Normalized,
        }
    }
}

impl SprtArgs {
    /// Whether there is a test.
    pub(super) fn is_asked(&self) -> bool {
        self.sprt.is_some()
    }

    /// The test, if requested.
    ///
    /// # Errors
    /// If the numbers are invalid.
    pub(super) fn setting(&self) -> Result<Option<SprtSetting>, CliError> {
        let Some(&[elo0, elo1]) = self.sprt.as_deref() else {
            return Ok(None);
        };
        let setting = SprtSetting {
            elo0,
            elo1,
            alpha: self.alpha,
            beta: self.beta,
            model: self.sprt_model.into(),
        };
        match setting.test() {
            Ok(_) => Ok(Some(setting)),
            Err(error) => Err(CliError::Usage(format!("--sprt: {error}"))),
        }
    }
}
