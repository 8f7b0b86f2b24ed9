//! Work split over several machines.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::digits::parse_digits;

/// One machine's fixed share of numbered jobs: `1/4` to `4/4` on four machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// From 1 to `of`.
    number: u64,
    of: u64,
}

/// The error for a text that is not a shard.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a shard; the shards of a tournament on 4 machines are 1/4, 2/4, 3/4 and 4/4")]
pub struct ShardError(String);

impl Shard {
    /// The shard that has all jobs.
    pub const WHOLE: Self = Self { number: 1, of: 1 };

    /// Whether the job with this number, from 0, belongs to this shard.
    pub const fn has(self, job: u64) -> bool {
        job % self.of == self.number - 1
    }

    /// The number of this shard's job with this index, both from 0.
    pub const fn nth(self, index: u64) -> u64 {
        index * self.of + self.number - 1
    }

    /// How many of the first `jobs` jobs belong to this shard.
    pub const fn share_of(self, jobs: u64) -> u64 {
        jobs / self.of + (jobs % self.of >= self.number) as u64
    }

    /// Whether this shard has all jobs.
    pub fn is_whole(self) -> bool {
        self == Self::WHOLE
    }

    /// The shard's number, from 1, and the number of shards.
    pub const fn parts(self) -> [u64; 2] {
        [self.number, self.of]
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let numbers = text
            .split_once('/')
            .and_then(|(number, of)| Some((parse_digits(number)?, parse_digits(of)?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err(ShardError(text.to_string())),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Self, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_the_jobs() {
        let shards: Vec<Shard> = (1..=4).map(|i| format!("{i}/4").parse().unwrap()).collect();
        for job in 0..20 {
            let owners: Vec<&Shard> = shards.iter().filter(|shard| shard.has(job)).collect();
            assert_eq!(owners.len(), 1);
            assert_eq!(owners[0].nth(job / 4), job);
            assert!(Shard::WHOLE.has(job) && Shard::WHOLE.nth(job) == job);
            let shares = shards.iter().map(|shard| shard.share_of(job));
            assert_eq!(shares.sum::<u64>(), job);
        }
        let last: Shard = format!("1/{}", u64::MAX).parse().unwrap();
        assert_eq!(last.share_of(3), 1);
        for wrong in ["0/4", "5/4", "4", "1/0", "a/b", "-1/4", "+1/4", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
