//! The share of a match played on one of several machines, as a file.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::score::MatchScore;
use crate::files::Kind;
use crate::shard::Shard;

/// The first bytes of the file.
const BEGINNING: &str = "{\"duel\":";

/// The maximum length of the file, in bytes.
pub const LONGEST_SHARE: u64 = 1 << 20;

/// The kind of the file.
pub const SHARE_FILE: Kind = Kind {
    name: "a share of `santorini duel`",
    begins: |head| head.starts_with(BEGINNING.as_bytes()),
};

/// Everything that determines the games of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchSettings {
    /// The names of both engines.
    pub names: [String; 2],
    /// The options of both engines.
    pub engines: [String; 2],
    /// The rows of the board, 5 or 6.
    pub board: u8,
    /// The openings, as text.
    pub start: String,
    /// The limit of each turn, as text.
    pub limit: String,
    /// The seed of all random choices.
    pub seed: u64,
    /// The number of pairs in the whole match, or `None` for as many as a test needs.
    pub pairs: Option<u64>,
}

/// A share of a match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MatchShare {
    /// The match that this is a share of.
    #[serde(rename = "duel")]
    pub settings: MatchSettings,
    /// The number of the share, and of how many.
    pub shard: Shard,
    /// The results of the share's games.
    pub score: MatchScore,
}

/// Why a text is not a share, or shares cannot be joined.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShareError {
    /// The text is not a share in JSON.
    #[error("not a file of `santorini duel --output`: {0}")]
    Form(String),
    /// The counts contradict each other or the settings.
    #[error("impossible results: {0}")]
    Counts(&'static str),
    /// A setting differs from the first file's: its name, this value, the first file's.
    #[error("a share of another match: {0} is {1} here and {2} in the first file")]
    Differ(String, String, String),
    /// A setting differs from the command line's: its name, the file's value, the other.
    #[error("the file holds another match: {0} is {1} there and {2} here")]
    Other(String, String, String),
    /// Two files hold the same share.
    #[error("share {0} is given twice")]
    Twice(Shard),
    /// A file is from a match with a different number of shares.
    #[error("holds share {0}, but the first file is one of {1} shares")]
    Parts(Shard, u64),
}

impl MatchShare {
    /// The score to resume at, if this is the same share of the same match.
    ///
    /// # Errors
    /// If it is another share or match; the error names the first difference.
    pub fn score_of(
        self,
        settings: &MatchSettings,
        shard: Shard,
    ) -> Result<MatchScore, ShareError> {
        if self.shard != shard {
            let [there, here] = [self.shard, shard].map(|shard| shard.to_string());
            return Err(ShareError::Other("share".into(), there, here));
        }
        match difference(&self.settings, settings) {
            Some((setting, there, here)) => Err(ShareError::Other(setting, there, here)),
            None => Ok(self.score),
        }
    }

    /// The file's text.
    pub fn text(&self) -> String {
        serde_json::json!(self).to_string() + "\n"
    }
}

impl FromStr for MatchShare {
    type Err = ShareError;

    fn from_str(text: &str) -> Result<Self, ShareError> {
        let share = serde_json::from_str::<Self>(text);
        let share = share.map_err(|error| ShareError::Form(error.to_string()))?;
        if !share.score.is_possible() {
            return Err(ShareError::Counts("the pairs and the games disagree"));
        }
        let most = share.settings.pairs.map(|all| share.shard.share_of(all));
        if most.is_some_and(|most| share.score.pairs().count() > most) {
            return Err(ShareError::Counts(
                "there are more pairs than the share has",
            ));
        }
        Ok(share)
    }
}

/// Joins the shares of a match. There must be at least one.
///
/// # Errors
/// The index of the first share that does not fit the ones before, and why.
pub fn join(shares: &[MatchShare]) -> Result<(MatchSettings, MatchScore), (usize, ShareError)> {
    let first = &shares[0];
    let mut score = MatchScore::default();
    for (index, share) in shares.iter().enumerate() {
        let wrong = |error| Err((index, error));
        if let Some((setting, here, there)) = difference(&share.settings, &first.settings) {
            return wrong(ShareError::Differ(setting, here, there));
        }
        let [_, of] = first.shard.parts();
        if share.shard.parts()[1] != of {
            return wrong(ShareError::Parts(share.shard, of));
        }
        if shares[..index]
            .iter()
            .any(|other| other.shard == share.shard)
        {
            return wrong(ShareError::Twice(share.shard));
        }
        score.add_all(&share.score);
    }
    Ok((first.settings.clone(), score))
}

/// The first setting that differs, with both values.
fn difference(one: &MatchSettings, other: &MatchSettings) -> Option<(String, String, String)> {
    let [one, other] = [one, other].map(|settings| serde_json::json!(settings));
    let differs = |&(key, value): &(&String, &serde_json::Value)| other.get(key) != Some(value);
    let (key, value) = one.as_object()?.iter().find(differs)?;
    let [one, other] = [value, &other[key]].map(|value| match value.is_null() {
        true => "as many as a test needs".into(),
        false => value.to_string(),
    });
    Some((key.clone(), one, other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{Pair, play_pairs};
    use crate::jobs::Jobs;

    fn pair(number: u64) -> Pair {
        Pair {
            moving_first: !number.is_multiple_of(3),
            moving_second: number.is_multiple_of(4),
        }
    }

    fn share(shard: &str) -> MatchShare {
        let jobs = Jobs::unstoppable(1);
        let shard: Shard = shard.parse().unwrap();
        let play = |index| pair(shard.nth(index));
        MatchShare {
            settings: MatchSettings {
                names: ["new", "old"].map(String::from),
                engines: ["--eval tuned", ""].map(String::from),
                board: 5,
                start: "even".into(),
                limit: "5 nodes a turn".into(),
                seed: 1,
                pairs: Some(22),
            },
            shard,
            score: play_pairs(
                MatchScore::default(),
                shard.share_of(22),
                None,
                &jobs,
                play,
                |_| {},
            ),
        }
    }

    #[test]
    fn all_shares_join_to_the_whole_match() {
        let shares = ["2/3", "1/3", "3/3"].map(share);
        let read = shares
            .each_ref()
            .map(|share| share.text().parse::<MatchShare>().unwrap());
        assert_eq!(read, shares);
        let (settings, score) = join(&shares).unwrap();
        let whole = share("1/1");
        assert_eq!((settings, score), (whole.settings, whole.score));
        assert!((SHARE_FILE.begins)(shares[0].text().as_bytes()));
    }

    #[test]
    fn shares_of_different_matches_are_refused() {
        let [one, two] = ["1/3", "2/3"].map(share);
        assert_eq!(
            join(&[one.clone(), two.clone(), two.clone()]),
            Err((2, ShareError::Twice(two.shard)))
        );
        let mut other = two.clone();
        other.settings.seed = 7;
        let (index, error) = join(&[one.clone(), other]).unwrap_err();
        let told = "a share of another match: seed is 7 here and 1 in the first file";
        assert_eq!((index, error.to_string().as_str()), (1, told));
        assert!(join(&[one.clone(), share("2/4")]).is_err());
        let many = one.text().replace("\"pairs\":22", "\"pairs\":2");
        assert!(matches!(
            many.parse::<MatchShare>(),
            Err(ShareError::Counts(_))
        ));
        assert!(matches!(
            "{}".parse::<MatchShare>(),
            Err(ShareError::Form(_))
        ));
    }
}
