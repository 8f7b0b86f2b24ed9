//! Ratings of any number of players on one Elo scale.
//!
//! The model of R. Bradley and M. Terry (Biometrika 39, 1952): a player rated d Elo above
//! another scores 1 / (1 + 10^(-d/400)) a game. Newton's method finds the
//! maximum-likelihood ratings; their errors come from the curvature of the likelihood. The
//! model treats games as independent. If every opening is played from both seats, the true
//! errors are smaller.

use super::elo::{Estimate, score_of_elo};
use super::matrix::invert;
use super::normal::{Z95, cumulative};

/// The draws added to each player's results, spread over its opponents in proportion to
/// their games. They keep ratings finite if a player won or lost all games. (R. Coulom's
/// BayesElo adds 2.)
const PRIOR_DRAWS: f64 = 0.5;

/// The rating of one player. The mean rating of players connected by games is 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// The estimated rating, in Elo.
    pub elo: f64,
    /// Half the width of the 95% confidence interval of the distance from that mean;
    /// infinite for a player without games.
    pub error: f64,
}

/// The ratings of all players, in the order of the results.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    players: Vec<Rating>,
    /// The covariance of each pair of ratings; infinite between players not connected by
    /// games.
    covariance: Vec<Vec<f64>>,
}

impl Ratings {
    /// Rates players by their results: `points[a][b]` are the points of player `a` against
    /// `b` (a draw is half a point for each).
    pub fn of(points: &[Vec<f64>]) -> Self {
        Self::with(PRIOR_DRAWS, points)
    }

    /// The same with another number of prior draws. With 0 it is the plain maximum likelihood,
    /// which does not exist if a player won all games.
    fn with(prior_draws: f64, points: &[Vec<f64>]) -> Self {
        let count = points.len();
        let points = with_prior(points, prior_draws);
        let mut ratings = Self {
            players: vec![
                Rating {
                    elo: 0.0,
                    error: f64::INFINITY
                };
                count
            ],
            covariance: vec![vec![f64::INFINITY; count]; count],
        };
        for group in connected(&points) {
            if group.len() > 1 {
                ratings.rate(&points, &group);
            }
        }
        ratings
    }

    /// The rating of each player.
    pub fn players(&self) -> &[Rating] {
        &self.players
    }

    /// The likelihood that player `a` is stronger than player `b`; `None` if games do not
    /// connect them.
    pub fn likelihood_of_superiority(&self, a: usize, b: usize) -> Option<f64> {
        let variance = self.variance(a, b);
        let apart = self.players[a].elo - self.players[b].elo;
        (variance.is_finite() && variance > 0.0).then(|| cumulative(apart / variance.sqrt()))
    }

    /// The Elo of player `a` above player `b` with its 95% confidence interval; `None` if
    /// games do not connect them.
    pub fn difference(&self, a: usize, b: usize) -> Option<Estimate> {
        let variance = self.variance(a, b);
        let elo = self.players[a].elo - self.players[b].elo;
        let error = Z95 * variance.max(0.0).sqrt();
        variance.is_finite().then_some(Estimate {
            elo,
            low: elo - error,
            high: elo + error,
        })
    }

    /// The variance of the difference of two ratings; not finite if games do not connect
    /// them.
    fn variance(&self, a: usize, b: usize) -> f64 {
        self.covariance[a][a] + self.covariance[b][b] - 2.0 * self.covariance[a][b]
    }

    /// Rates the players of one connected group.
    fn rate(&mut self, points: &[Vec<f64>], group: &[usize]) {
        let games = Games { points, group };
        let mut elo = vec![0.0; group.len()];
        let mut likelihood = games.log_likelihood(&elo);
        for _ in 0..MOST_STEPS {
            let mut inverse = games.information(&elo);
            invert(&mut inverse, 0.0);
            let gradient = games.gradient(&elo);
            let product = |row: &Vec<f64>| row.iter().zip(&gradient).map(|(a, b)| a * b).sum();
            let step: Vec<f64> = inverse.iter().map(product).collect();
            let largest = step.iter().copied().map(f64::abs).fold(0.0, f64::max);
            // Far from the maximum a Newton step can overshoot.
            let mut scale = (LONGEST_STEP / largest).min(1.0);
            loop {
                let next: Vec<f64> = elo.iter().zip(&step).map(|(e, s)| e + scale * s).collect();
                let value = games.log_likelihood(&next);
                if value >= likelihood || scale < LEAST_SCALE {
                    (elo, likelihood) = (next, value);
                    break;
                }
                scale /= 2.0;
            }
            if largest < CONVERGED {
                break;
            }
        }
        let mean = elo.iter().sum::<f64>() / elo.len() as f64;
        let mut covariance = games.information(&elo);
        invert(&mut covariance, 0.0);
        for (i, &a) in group.iter().enumerate() {
            for (j, &b) in group.iter().enumerate() {
                // Removes what `information` added along the common shift.
                self.covariance[a][b] = covariance[i][j] - SHIFT / group.len() as f64;
            }
            self.players[a] = Rating {
                elo: elo[i] - mean,
                error: Z95 * self.covariance[a][a].max(0.0).sqrt(),
            };
        }
    }
}

/// The maximum number of Newton steps, and the maximum change of a rating in one, in Elo.
const MOST_STEPS: usize = 200;
const LONGEST_STEP: f64 = 400.0;

/// The share of a step below which it is taken even if the likelihood falls.
const LEAST_SCALE: f64 = 1e-6;

/// A step that changes no rating by this much, in Elo, is the last.
const CONVERGED: f64 = 1e-6;

/// The minimum weight of the games of two players, in 1/Elo^2.
const LEAST_WEIGHT: f64 = 1e-18;

/// The variance, in Elo^2, assumed for the common shift of all ratings of a group. Games do
/// not determine the shift, so any positive number works.
const SHIFT: f64 = 1e4;

/// The games between the players of a group.
struct Games<'a> {
    points: &'a [Vec<f64>],
    group: &'a [usize],
}

/// The natural logarithm of the odds that one Elo is worth.
const LN_ODDS: f64 = std::f64::consts::LN_10 / 400.0;

impl Games<'_> {
    /// For each pair of members that played: their indices in the group, the first one's
    /// points and the number of games.
    fn each(&self) -> impl Iterator<Item = (usize, usize, f64, f64)> + '_ {
        let members = self.group.iter().enumerate();
        members.flat_map(move |(i, &a)| {
            let others = self.group.iter().enumerate().skip(i + 1);
            others.filter_map(move |(j, &b)| {
                let games = self.points[a][b] + self.points[b][a];
                (games > 0.0).then_some((i, j, self.points[a][b], games))
            })
        })
    }

    fn log_likelihood(&self, elo: &[f64]) -> f64 {
        // ln(1 / (1 + e^-x)) without overflow
        let ln_share = |x: f64| -(-x.abs()).exp().ln_1p() + x.min(0.0);
        let terms = self.each().map(|(i, j, points, games)| {
            let x = LN_ODDS * (elo[i] - elo[j]);
            points * ln_share(x) + (games - points) * ln_share(-x)
        });
        terms.sum()
    }

    fn gradient(&self, elo: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; elo.len()];
        for (i, j, points, games) in self.each() {
            let slope = LN_ODDS * (points - games * score_of_elo(elo[i] - elo[j]));
            gradient[i] += slope;
            gradient[j] -= slope;
        }
        gradient
    }

    /// The Fisher information, plus a term along the common shift that makes it invertible.
    fn information(&self, elo: &[f64]) -> Vec<Vec<f64>> {
        let count = elo.len() as f64;
        let mut matrix = vec![vec![1.0 / (SHIFT * count); elo.len()]; elo.len()];
        for (i, j, _, games) in self.each() {
            let share = score_of_elo(elo[i] - elo[j]);
            // A game between very unequal players has little weight, but never none.
            let weight = (LN_ODDS * LN_ODDS * games * share * (1.0 - share)).max(LEAST_WEIGHT);
            matrix[i][i] += weight;
            matrix[j][j] += weight;
            matrix[i][j] -= weight;
            matrix[j][i] -= weight;
        }
        matrix
    }
}

fn with_prior(points: &[Vec<f64>], prior_draws: f64) -> Vec<Vec<f64>> {
    let games = |a: usize, b: usize| points[a][b] + points[b][a];
    let total = |a: usize| (0..points.len()).map(|b| games(a, b)).sum::<f64>();
    let totals: Vec<f64> = (0..points.len()).map(total).collect();
    let mut sum = points.to_vec();
    for a in 0..points.len() {
        for b in 0..points.len() {
            if games(a, b) > 0.0 {
                // Half a point of each draw for either side.
                let share = games(a, b) / totals[a] + games(a, b) / totals[b];
                sum[a][b] += prior_draws / 2.0 * share;
            }
        }
    }
    sum
}

/// The groups of players connected by games.
fn connected(points: &[Vec<f64>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut seen = vec![false; points.len()];
    for first in 0..points.len() {
        if seen[first] {
            continue;
        }
        seen[first] = true;
        let mut group = vec![first];
        let mut next = 0;
        while let Some(&a) = group.get(next) {
            for b in 0..points.len() {
                if !seen[b] && points[a][b] + points[b][a] > 0.0 {
                    seen[b] = true;
                    group.push(b);
                }
            }
            next += 1;
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::super::{Frequencies, estimate, likelihood_of_superiority};
    use super::*;

    fn elos(ratings: &Ratings) -> Vec<f64> {
        ratings.players().iter().map(|rating| rating.elo).collect()
    }

    /// The worked example of the article "Bradley-Terry model" in Wikipedia:
    /// four teams, 22 games, strengths 0.640, 1.043, 0.660 and 2.270 with a
    /// geometric mean of 1.
    #[test]
    fn published_strengths_of_four_teams() {
        let points = [
            vec![0.0, 2.0, 0.0, 1.0],
            vec![3.0, 0.0, 5.0, 0.0],
            vec![0.0, 3.0, 0.0, 1.0],
            vec![4.0, 0.0, 3.0, 0.0],
        ];
        let ratings = Ratings::with(0.0, &points);
        for (elo, published) in elos(&ratings).into_iter().zip([0.640, 1.043, 0.660, 2.270]) {
            let strength = 10f64.powf(elo / 400.0);
            assert!((strength - published).abs() < 0.0006, "{strength}");
        }
    }

    #[test]
    fn two_players_get_the_elo_of_their_match() {
        let ratings = Ratings::with(0.0, &[vec![0.0, 75.0], vec![25.0, 0.0]]);
        let games = Frequencies([25, 0, 75]);
        let direct = estimate(&games).unwrap();
        let apart = ratings.players()[0].elo - ratings.players()[1].elo;
        assert!((apart - direct.elo).abs() < 1e-6);
        // Each player's error is half the error of the difference; the direct interval is
        // not quite symmetric.
        assert!((2.0 * ratings.players()[0].error / direct.error() - 1.0).abs() < 0.05);
        let difference = ratings.difference(0, 1).unwrap();
        assert_eq!(difference.elo, apart);
        assert!((difference.error() - 2.0 * ratings.players()[0].error).abs() < 1e-6);
        let better = ratings.likelihood_of_superiority(0, 1).unwrap();
        assert!((better - likelihood_of_superiority(&games)).abs() < 1e-3);
        let worse = ratings.likelihood_of_superiority(1, 0).unwrap();
        assert!((better + worse - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_long_ladder_is_recovered() {
        // Eight players 300 apart; neighbours and next neighbours played
        // exactly as the model expects.
        let count = 8;
        let mut points = vec![vec![0.0; count]; count];
        for (a, row) in points.iter_mut().enumerate() {
            for (b, cell) in row.iter_mut().enumerate() {
                if a != b && a.abs_diff(b) <= 2 {
                    *cell = 1000.0 * score_of_elo(300.0 * (a as f64 - b as f64));
                }
            }
        }
        let ratings = Ratings::with(0.0, &points);
        for (place, elo) in elos(&ratings).into_iter().enumerate() {
            assert!(
                (elo - 300.0 * (place as f64 - 3.5)).abs() < 1e-3,
                "{place} {elo}"
            );
        }
        // The ends of the ladder are known less well than its middle.
        let errors: Vec<f64> = ratings.players().iter().map(|r| r.error).collect();
        assert!(errors[0] > errors[3] && errors[3] > 5.0 && errors[0] < 100.0);
    }

    #[test]
    fn the_prior_keeps_ratings_finite() {
        let points = [
            vec![0.0, 10.0, 10.0],
            vec![0.0, 0.0, 10.0],
            vec![0.0, 0.0, 0.0],
        ];
        let ratings = Ratings::of(&points);
        let elo = elos(&ratings);
        assert!(elo[0] > elo[1] + 100.0 && elo[1] > elo[2] + 100.0);
        assert!(elo[0] < 2000.0 && (elo[0] + elo[2]).abs() < 1e-6);
        assert!(ratings.players()[0].error.is_finite());
        assert!(ratings.likelihood_of_superiority(0, 2).unwrap() > 0.99);
    }

    #[test]
    fn players_without_common_games_are_not_compared() {
        let mut points = vec![vec![0.0; 5]; 5];
        points[0][1] = 3.0;
        points[1][0] = 1.0;
        points[2][3] = 1.0;
        points[3][2] = 3.0;
        let ratings = Ratings::of(&points);
        assert_eq!(ratings.likelihood_of_superiority(0, 2), None);
        assert_eq!(ratings.likelihood_of_superiority(0, 4), None);
        assert_eq!([2, 4].map(|b| ratings.difference(0, b)), [None; 2]);
        assert!(ratings.likelihood_of_superiority(0, 1).unwrap() > 0.5);
        assert_eq!(
            ratings.players()[4],
            Rating {
                elo: 0.0,
                error: f64::INFINITY
            }
        );
        assert!(elos(&ratings)[3] > 50.0);
        assert!(Ratings::of(&[]).players().is_empty());
    }
}
