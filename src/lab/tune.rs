//! Fits the weights of the heuristic to played games.
//!
//! Alpha-beta plays itself from random openings. Each board of the games
//! gives a sample: its features, and whether the player to move won. Logistic
//! regression finds the weights that tell wins from losses best (P. Österlund
//! tuned the chess program Texel so, 2014). With these weights the next games
//! are played, and so on: better play makes better samples.

use std::convert::Infallible;

use super::agent::derive_seed;
use super::factory::Factory;
use super::game::Played;
use super::logistic::fit;
use super::matchup::Match;
use super::minimax::Method;
use super::parallel::Jobs;
use super::spec::{AgentSpec, SearchSpec};
use crate::eval::{Features, Weights};
use crate::tournament::stats::PairCounts;

/// How the weights are fitted.
#[derive(Clone, Copy, Debug)]
pub struct Tuning {
    pub start: Weights,
    /// The depth of alpha-beta.
    pub depth: u32,
    /// Games for each fit.
    pub games: u64,
    /// How often the weights are fitted.
    pub rounds: u32,
    pub seed: u64,
}

/// The weights after one fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fitted {
    pub weights: Weights,
    /// The standard errors of the weights for centre, mobility and distance,
    /// as far as they come from those of the fit.
    pub errors: [f64; 3],
    /// The mean of -ln(probability given to the result); ln 2 is guessing.
    pub loss: f64,
    pub samples: usize,
}

/// Why weights cannot be fitted.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum TuneError {
    #[error("{0} games are too few to fit weights to; play more")]
    TooFew(u64),
    #[error("in these games height did not help to win, so there is no scale for the weights")]
    NoScale,
}

/// Random turns that games begin with, so that they differ.
const OPENING: u32 = 4;

/// The weight of height: the unit of the others.
const SCALE: f64 = 100.0;

/// More than all else on a board together can be worth.
const WIN: i32 = 10_000;

/// Features for the fit: those of the heuristic, and 1 for being to move.
const FEATURES: usize = 5;

impl Tuning {
    /// Alpha-beta with some weights.
    pub fn agent(&self, weights: Weights) -> AgentSpec {
        AgentSpec::Minimax(SearchSpec {
            method: Method::AlphaBeta,
            depth: self.depth,
            setup: 2,
            weights,
        })
    }

    /// Plays a round's games with the given weights and fits the next ones.
    /// `Ok(None)` if it was stopped; `progress` is called after every game.
    ///
    /// # Errors
    /// If the games do not decide the weights.
    pub fn round(
        &self,
        round: u32,
        weights: Weights,
        jobs: &Jobs,
        progress: &mut dyn FnMut(),
    ) -> Result<Option<Fitted>, TuneError> {
        let games = self.games_between([weights, weights], derive_seed(self.seed, &[round.into()]));
        let mut samples = Vec::new();
        let mut played = 0;
        let Ok(()) = jobs.run(
            0..self.games,
            |number| games.play(number).played,
            |_, game| {
                samples.extend(samples_of(&game));
                played += 1;
                progress();
                Ok::<(), Infallible>(())
            },
        );
        if played < self.games {
            return Ok(None);
        }
        let fit = fit(&samples).ok_or(TuneError::TooFew(self.games))?;
        let [height, others @ .., _] = fit.coefficients;
        if height <= 0.0 {
            return Err(TuneError::NoScale);
        }
        let [centre, mobility, distance] = others.map(|c| (SCALE * c / height).round() as i32);
        Ok(Some(Fitted {
            weights: Weights {
                height: SCALE as i32,
                centre,
                mobility,
                distance,
                win: WIN,
            },
            errors: [1, 2, 3].map(|i| SCALE * fit.errors[i] / height),
            loss: fit.loss,
            samples: samples.len(),
        }))
    }

    /// Plays pairs of games between two sets of weights, each pair from one
    /// random opening with seats swapped, and counts the points of the first.
    pub fn compare(
        &self,
        weights: [Weights; 2],
        pairs: u64,
        seed: u64,
        jobs: &Jobs,
        progress: &mut dyn FnMut(),
    ) -> PairCounts {
        let games = self.games_between(weights, seed);
        let mut counts = PairCounts::default();
        let points = |game: u64| f64::from(u8::from(games.play(game).winner() == 0));
        let Ok(()) = jobs.run(
            0..pairs,
            |pair| points(2 * pair) + points(2 * pair + 1),
            |_, points| {
                counts.add(points);
                progress();
                Ok::<(), Infallible>(())
            },
        );
        counts
    }

    fn games_between(&self, weights: [Weights; 2], seed: u64) -> Match {
        let factory = |weights| {
            Factory::new(&self.agent(weights), seed, &mut |_, _| {})
                .expect("alpha-beta reads no files")
        };
        Match {
            players: weights.map(factory),
            seed,
            swap: true,
            opening: Some(OPENING),
        }
    }
}

/// What the boards of a game say: the features for the player to move, and
/// whether she won. Boards with a win at once are left out: the search sees
/// those itself.
fn samples_of(game: &Played) -> impl Iterator<Item = ([f64; FEATURES], bool)> + '_ {
    let boards = game.boards().filter(|(_, board)| !board.has_win());
    boards.map(|(player, board)| {
        let Features {
            height,
            centre,
            mobility,
            distance,
        } = Features::of(&board);
        let features = [height, centre, mobility, distance, 1].map(f64::from);
        (features, player == game.winner)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::tournament::stats::likelihood_of_superiority;

    const TUNING: Tuning = Tuning {
        start: Weights::PAPER,
        depth: 1,
        games: 300,
        rounds: 1,
        seed: 1,
    };

    #[test]
    fn fitted_weights_are_stronger_and_the_same_every_time() {
        let stop = AtomicBool::new(false);
        let jobs = |threads| Jobs {
            threads,
            stop: &stop,
        };
        let round = |threads| {
            let fitted = TUNING.round(0, TUNING.start, &jobs(threads), &mut || {});
            fitted.unwrap().unwrap()
        };
        let fitted = round(2);
        assert_eq!(fitted, round(1));
        assert_eq!(fitted.weights.height, 100);
        assert!(fitted.loss < std::f64::consts::LN_2);
        assert!(fitted.samples > 3000);
        let weak = Weights {
            height: 10,
            ..Weights::PAPER
        };
        let pairs = TUNING.compare([fitted.weights, weak], 60, 9, &jobs(2), &mut || {});
        assert_eq!(pairs.count(), 60);
        assert!(
            likelihood_of_superiority(&pairs) > 0.99,
            "{fitted:?} {pairs:?}"
        );
    }

    #[test]
    fn a_stop_and_too_few_games_end_it() {
        let stop = AtomicBool::new(true);
        let jobs = Jobs {
            threads: 1,
            stop: &stop,
        };
        assert_eq!(TUNING.round(0, TUNING.start, &jobs, &mut || {}), Ok(None));
        stop.store(false, std::sync::atomic::Ordering::Relaxed);
        let tiny = Tuning { games: 0, ..TUNING };
        let fitted = tiny.round(0, TUNING.start, &jobs, &mut || {});
        assert_eq!(fitted, Err(TuneError::TooFew(0)));
    }
}
