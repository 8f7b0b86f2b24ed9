//! The rating of one player from games against opponents with known ratings.
//!
//! It uses the model of `rating.rs`. With the other ratings fixed, one number is unknown,
//! so its whole posterior distribution is computed. It is informative even if the player
//! lost or won every game.

use super::elo::{Estimate, score_of_elo};

/// The games against one opponent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnchoredGames {
    /// The opponent's rating.
    pub elo: f64,
    /// The number of games played.
    pub games: u64,
    /// The player's points; a drawn game is half a point.
    pub points: f64,
}

/// The normal distribution assumed for a rating before any game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prior {
    /// The expected rating, in Elo.
    pub mean: f64,
    /// The standard deviation, in Elo.
    pub deviation: f64,
}

/// Half the number of points at which the distribution is computed.
const POINTS: i32 = 1500;

/// Half-width of the grid, in standard deviations of the prior.
const REACH: f64 = 5.0;

/// The mean of the rating given the games, and its 95% interval.
pub fn rate_against(prior: Prior, games: &[AnchoredGames]) -> Estimate {
    let step = REACH * prior.deviation / f64::from(POINTS);
    let points = || (-POINTS..=POINTS).map(|point| prior.mean + f64::from(point) * step);
    let logs: Vec<f64> = points().map(|elo| log_density(prior, games, elo)).collect();
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.iter().map(|log| (log - most).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let mean = points().zip(&weights).map(|(elo, weight)| elo * weight);
    // The rating below which this share of the sum lies. Each weight is spread evenly over
    // the step around its point.
    let quantile = |share: f64| {
        let mut left = share * sum;
        for (elo, &weight) in points().zip(&weights) {
            if weight >= left {
                return elo + (left / weight - 0.5) * step;
            }
            left -= weight;
        }
        prior.mean
    };
    Estimate {
        elo: mean.sum::<f64>() / sum,
        low: quantile(0.025),
        high: quantile(0.975),
    }
}

/// The logarithm of the density at a rating, up to a constant.
fn log_density(prior: Prior, games: &[AnchoredGames], elo: f64) -> f64 {
    let away = (elo - prior.mean) / prior.deviation;
    let results = games.iter().map(|against| {
        let share = score_of_elo(elo - against.elo).clamp(1e-300, 1.0);
        let other = score_of_elo(against.elo - elo).clamp(1e-300, 1.0);
        against.points * share.ln() + (against.games as f64 - against.points) * other.ln()
    });
    results.sum::<f64>() - away * away / 2.0
}

#[cfg(test)]
mod tests {
    use super::super::{Frequencies, estimate};
    use super::*;

    const WIDE: Prior = Prior {
        mean: 1500.0,
        deviation: 1000.0,
    };

    #[test]
    fn one_opponent_gives_the_elo_of_the_match() {
        for (lost, won) in [(25, 75), (100, 100), (130, 70)] {
            let games = AnchoredGames {
                elo: 1200.0,
                games: lost + won,
                points: won as f64,
            };
            let rated = rate_against(WIDE, &[games]);
            let direct = estimate(&Frequencies([lost, 0, won])).unwrap();
            assert!((rated.elo - 1200.0 - direct.elo).abs() < 8.0, "{rated:?}");
            assert!(
                (rated.error() / direct.error() - 1.0).abs() < 0.1,
                "{rated:?}"
            );
        }
    }

    #[test]
    fn every_game_narrows_the_interval() {
        let error = |games: u64| {
            let games = AnchoredGames {
                elo: 1400.0,
                games,
                points: games as f64 / 2.0,
            };
            rate_against(WIDE, &[games]).error()
        };
        let errors: Vec<f64> = (180..200).map(error).collect();
        let shrinks = |pair: &[f64]| (0.05..0.3).contains(&(pair[0] - pair[1]));
        assert!(errors.windows(2).all(shrinks), "{errors:?}");
    }

    #[test]
    fn without_games_it_is_the_prior() {
        let rated = rate_against(WIDE, &[]);
        assert!((rated.elo - 1500.0).abs() < 1.0);
        assert!((rated.high - 1500.0 - 1960.0).abs() < 5.0, "{rated:?}");
        assert!((1500.0 - rated.low - 1960.0).abs() < 5.0, "{rated:?}");
    }

    #[test]
    fn all_lost_rates_below_and_all_won_above() {
        let against = |points: f64| AnchoredGames {
            elo: 1000.0,
            games: 10,
            points,
        };
        let [lost, won] = [0.0, 10.0].map(|points| rate_against(WIDE, &[against(points)]));
        assert!(lost.high < 1000.0 && won.low > 1000.0, "{lost:?} {won:?}");
        assert!(lost.low > -2500.0 && won.high < 4500.0);
        // Ten more lost games lower the rating.
        let more = rate_against(WIDE, &[against(0.0), against(0.0)]);
        assert!(more.elo < lost.elo);
    }

    #[test]
    fn opponents_on_both_sides_meet_in_the_middle() {
        let against = |elo: f64, points: f64| AnchoredGames {
            elo,
            games: 40,
            points,
        };
        let share = score_of_elo(200.0) * 40.0;
        let rated = rate_against(
            WIDE,
            &[against(800.0, share), against(1200.0, 40.0 - share)],
        );
        assert!((rated.elo - 1000.0).abs() < 3.0, "{rated:?}");
    }
}
