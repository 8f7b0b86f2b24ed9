//! Sums of the games of a matchup, with statistics, chart lines and columns.

use super::games::GameRow;
use crate::chart::{Measured, Series, time};
use crate::stats::{t95, win_interval};
use crate::table::{Column, whole_percent};

/// The sum of the games of one matchup.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    pub series: String,
    pub agent: String,
    pub opponent: String,
    pub games: u64,
    pub won: u64,
    /// Mean turns a game.
    pub turns: f64,
    /// Mean time of a game in seconds, with its confidence interval.
    pub game_seconds: Measured,
    /// The time of each game in seconds.
    pub seconds: Vec<f64>,
    /// The agent's mean and maximum time for an action, in seconds.
    pub action_seconds: f64,
    pub longest_action: f64,
    pub moves: Vec<String>,
}

impl Tally {
    /// Sums up one or more games.
    pub(super) fn of(rows: &[GameRow]) -> Self {
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
            game_seconds: positive_mean(&seconds),
            seconds,
            action_seconds: sum(|row| row.agent_seconds) / sum(|row| row.agent_actions as f64),
            longest_action: rows.iter().map(|row| row.agent_longest).fold(0.0, f64::max),
            moves: rows.iter().map(|row| row.moves.clone()).collect(),
        }
    }

    /// Games without times, for tests.
    #[cfg(test)]
    pub(super) fn counted(agent: &str, opponent: &str, won: u64, games: u64) -> Self {
        Self {
            series: String::new(),
            agent: agent.into(),
            opponent: opponent.into(),
            games,
            won,
            turns: 20.0,
            game_seconds: Measured::exactly(1.0),
            seconds: Vec::new(),
            action_seconds: 0.1,
            longest_action: 0.1,
            moves: Vec::new(),
        }
    }

    /// The agent's share of the games with its confidence interval.
    pub(super) fn win_rate(&self) -> Measured {
        win_rate(self.won, self.games)
    }

    /// The win rate as text.
    pub(super) fn rate_text(&self) -> String {
        rate_text(&self.win_rate())
    }
}

/// Splits tallies by series; the tallies of a series are adjacent.
pub(super) fn by_series(tallies: &[Tally]) -> Vec<&[Tally]> {
    tallies.chunk_by(|a, b| a.series == b.series).collect()
}

/// The win rates of each series as lines of a chart.
pub(super) fn rate_lines(series: &[&[Tally]]) -> Vec<Series<Measured>> {
    let line = |tallies: &&[Tally]| Series {
        name: tallies[0].series.clone(),
        values: tallies.iter().map(Tally::win_rate).collect(),
    };
    series.iter().map(line).collect()
}

pub(super) const AGENT: Column<Tally> = ("agent", |tally| tally.agent.clone());
pub(super) const OPPONENT: Column<Tally> = ("opponent", |tally| tally.opponent.clone());
pub(super) const WON: Column<Tally> = ("won", |tally| format!("{} of {}", tally.won, tally.games));
pub(super) const WIN_RATE: Column<Tally> = ("win rate", Tally::rate_text);
pub(super) const TURNS: Column<Tally> = ("turns a game", |tally| format!("{:.1}", tally.turns));
pub(super) const GAME_TIME: Column<Tally> = ("time a game", |tally| time(tally.game_seconds.value));
pub(super) const ACTION_TIME: Column<Tally> =
    ("time an action", |tally| time(tally.action_seconds));

/// A share of games with its 95% confidence interval.
pub(super) fn win_rate(won: u64, games: u64) -> Measured {
    let [low, high] = win_interval(won, games).unwrap_or([0.0, 1.0]);
    Measured {
        value: won as f64 / games.max(1) as f64,
        low,
        high,
    }
}

/// Whether two shares of games differ with 95% confidence.
pub(super) fn differ(a: &Measured, b: &Measured) -> bool {
    let Measured { low, high, .. } = difference(a, b);
    low > 0.0 || high < 0.0
}

/// The difference `a - b` of two shares of games with its 95% confidence interval, from
/// the intervals of the shares (as R. Newcombe does it, "Interval estimation for the difference
/// between independent proportions", Statistics in Medicine 17, 1998, method 10).
pub(super) fn difference(a: &Measured, b: &Measured) -> Measured {
    let value = a.value - b.value;
    Measured {
        value,
        low: value - (a.value - a.low).hypot(b.high - b.value),
        high: value + (a.high - a.value).hypot(b.value - b.low),
    }
}

/// The mean of numbers with its 95% confidence interval (Student's).
pub(super) fn mean(numbers: &[f64]) -> Measured {
    let count = numbers.len().max(1) as f64;
    let value = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|number| (number - value).powi(2)).sum();
    let deviation = (squares / (count - 1.0).max(1.0) / count).sqrt();
    // One number has no interval.
    let error = if numbers.len() > 1 {
        t95(numbers.len()) * deviation
    } else {
        0.0
    };
    Measured {
        value,
        low: value - error,
        high: value + error,
    }
}

/// The mean of positive numbers, such as times, with an interval above 0: the
/// interval of [`mean`] on a logarithmic scale.
pub(super) fn positive_mean(numbers: &[f64]) -> Measured {
    let Measured { value, high, .. } = mean(numbers);
    let ratio = ((high - value) / value.max(f64::MIN_POSITIVE)).exp();
    Measured {
        value,
        low: value / ratio,
        high: value * ratio,
    }
}

/// The ratio `a / b` of positive numbers with its 95% confidence interval, from
/// the errors of both on a logarithmic scale.
pub(super) fn ratio(a: &Measured, b: &Measured) -> Measured {
    let error = |number: &Measured| (number.high / number.value).ln();
    let value = a.value / b.value;
    let factor = error(a).hypot(error(b)).exp();
    Measured {
        value,
        low: value / factor,
        high: value * factor,
    }
}

/// The ratio of positive numbers that come in pairs, such as the times of two agents for the
/// same game: the geometric mean of `a / b` with its 95% confidence interval.
pub(super) fn paired_ratio(a: &[f64], b: &[f64]) -> Measured {
    let logs = a.iter().zip(b).map(|(a, b)| (a / b).ln());
    let Measured { value, low, high } = mean(&logs.collect::<Vec<f64>>());
    Measured {
        value: value.exp(),
        low: low.exp(),
        high: high.exp(),
    }
}

/// A measured value with its interval, each number written by `show`: `6.5 [6.1, 7.0]`.
pub(super) fn interval_text(measured: &Measured, show: impl Fn(f64) -> String) -> String {
    let Measured { value, low, high } = *measured;
    let [value, low, high] = [value, low, high].map(show);
    format!("{value} [{low}, {high}]")
}

/// The share of hits in groups of `(hits, tries)`. Groups may differ by more than
/// chance, or be equal by chance. So the result covers two intervals: one of the mean
/// of the groups, one of all tries together.
pub(super) fn grouped_share(groups: &[(u64, u64)]) -> Measured {
    let shares = groups
        .iter()
        .map(|&(hits, tries)| hits as f64 / tries.max(1) as f64);
    let between = mean(&shares.collect::<Vec<f64>>());
    let sum = |of: fn(&(u64, u64)) -> u64| groups.iter().map(of).sum::<u64>();
    let all = win_rate(sum(|group| group.0), sum(|group| group.1));
    Measured {
        value: between.value,
        low: between.low.min(all.low).max(0.0),
        high: between.high.max(all.high).min(1.0),
    }
}

/// `98% [93%, 99%]`.
pub(super) fn rate_text(rate: &Measured) -> String {
    interval_text(rate, whole_percent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_differ_beyond_chance() {
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
    fn equal_groups_have_an_interval() {
        let share = grouped_share(&[(12, 20), (12, 20)]);
        assert!(share.low < 0.45 && share.high > 0.73, "{share:?}");
        let unlike = grouped_share(&[(0, 1000), (1000, 1000), (500, 1000)]);
        assert!(unlike.low == 0.0 && unlike.high == 1.0, "{unlike:?}");
        let none = grouped_share(&[(0, 5), (0, 5)]);
        assert!(none.low == 0.0 && none.high > 0.2);
    }

    #[test]
    fn times_stay_above_zero() {
        let time = positive_mean(&[1.0, 9.0]);
        assert!(
            time.low > 0.0 && time.low < 5.0 && time.high > 5.0,
            "{time:?}"
        );
        assert_eq!(positive_mean(&[3.0]), Measured::exactly(3.0));
    }

    #[test]
    fn a_ratio_combines_both_errors() {
        let [a, b] = [positive_mean(&[3.0, 5.0, 4.0]), Measured::exactly(2.0)];
        let half = ratio(&a, &b);
        assert!((half.value - 2.0).abs() < 1e-12 && (half.low - a.low / 2.0).abs() < 1e-12);
        assert!((half.high - a.high / 2.0).abs() < 1e-12);
        let one = ratio(&a, &a);
        assert!(one.low * one.high > 0.999 && one.low * one.high < 1.001);
        assert!(one.high > a.high / a.value);
    }

    #[test]
    fn a_paired_ratio_ignores_what_a_pair_shares() {
        let short = paired_ratio(&[2.0, 40.0, 6.0], &[1.0, 20.0, 3.0]);
        for ratio in [short.value, short.low, short.high] {
            assert!((ratio - 2.0).abs() < 1e-12, "{short:?}");
        }
        let apart = paired_ratio(&[2.0, 8.0], &[1.0, 1.0]);
        assert!((apart.value - 4.0).abs() < 1e-12 && apart.low < 2.0 && apart.high > 8.0);
    }

    #[test]
    fn differences_are_first_minus_second() {
        // Newcombe's example (a) by method 10: 56 of 70 and 48 of 80, with the intervals of
        // Wilson; 0.0524 to 0.3339.
        let share = |value, [low, high]: [f64; 2]| Measured { value, low, high };
        let a = share(0.8, [0.69183, 0.87695]);
        let b = share(0.6, [0.49045, 0.70038]);
        let apart = difference(&a, &b);
        assert!((apart.low - 0.0524).abs() < 1e-4 && (apart.high - 0.3339).abs() < 1e-4);
    }

    #[test]
    fn the_mean_has_its_interval() {
        let measured = mean(&[1.0, 2.0, 3.0, 2.0]);
        assert_eq!(measured.value, 2.0);
        // The sample variance is 2/3, the variance of the mean a quarter of that; there are
        // three degrees of freedom.
        let error = 3.1824 * (2.0_f64 / 12.0).sqrt();
        assert!((measured.high - 2.0 - error).abs() < 1e-12);
        assert!((2.0 - measured.low - error).abs() < 1e-12);
    }
}
