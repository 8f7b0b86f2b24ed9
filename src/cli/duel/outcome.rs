//! Showing the outcome of a match.

use crate::arena::{MatchOutcome, MatchScore};
use crate::cli::CliError;
use crate::cli::output::{print, print_data};
use crate::stats::SprtSetting;
use crate::tournament::text;

/// Prints the outcome.
pub(crate) fn show(outcome: &MatchOutcome, json: bool) -> Result<(), CliError> {
    if json {
        let json = serde_json::to_string(outcome);
        let json = json.map_err(|error| CliError::failed("the outcome", error))?;
        print_data(&(json + "\n"))
    } else {
        print(text(outcome))
    }
}

/// The outcome as text.
fn text(outcome: &MatchOutcome) -> String {
    let duel = &outcome.duel;
    let [lost, _, won] = duel.games;
    let mut text = format!("{} games, {won} won, {lost} lost", won + lost);
    if let Some(share) = outcome.first_mover_score {
        let percent = share * 100.0;
        text += &format!("; the player who moved first won {percent:.1}%");
    }
    text + "\n" + &text::duel(duel)
}

/// The state of a match, in a few words.
pub(super) fn state(score: &MatchScore, sprt: Option<SprtSetting>) -> String {
    let duel = score.outcome(Default::default(), sprt).duel;
    let [lost, _, won] = duel.games;
    let mut state = format!("{won}-{lost}");
    if let Some(elo) = duel.estimate() {
        state += &format!(", {}", elo.short_text(0));
    }
    if let Some(test) = &duel.sprt {
        state += &format!(", {}", text::sprt(test));
    }
    state
}
