//! What a network is to answer for each position: the probability that its
//! mover wins.
//!
//! The result of a game says it with much noise, for a slip at its end turns
//! it round; the score of a short search repeats what that search overlooks.
//! The target is their mean that is known as the λ-return of temporal
//! differences (R. Sutton, 1988): the position's own score and those of the
//! game's later positions, each turn later weighing λ times as much as the
//! one before, and the result for all that is left.

use super::samples::Sample;

/// The targets of samples, those of a game in their order. With a `lambda` of
/// 0 they are the scores, with 1 the results. A position without a result has
/// its score.
pub fn targets<const N: usize>(samples: &[Sample<N>], lambda: f32) -> Vec<f32> {
    let scale = fit_score_scale(samples);
    let mut targets = vec![0.0; samples.len()];
    for (index, sample) in samples.iter().enumerate().rev() {
        let by_score = sigmoid(f32::from(sample.score) / scale);
        let later = samples.get(index + 1);
        let (turns, in_the_end) = match (sample.wins, later) {
            (None, _) => (0, by_score),
            (Some(_), Some(later)) if later.follows(sample) => {
                let turns = later.turn - sample.turn;
                let target = targets[index + 1];
                let same_mover = turns.is_multiple_of(2);
                (turns, if same_mover { target } else { 1.0 - target })
            }
            (Some(wins), _) => (1, f32::from(u8::from(wins))),
        };
        let share = lambda.powi(i32::from(turns));
        targets[index] = (1.0 - share) * by_score + share * in_the_end;
    }
    targets
}

/// The score at which the samples' movers win e times as often as they lose:
/// the scale that makes search scores and results agree best.
pub fn fit_score_scale<const N: usize>(samples: &[Sample<N>]) -> f32 {
    let known: Vec<(f32, f32)> = samples
        .iter()
        .filter_map(|it| Some((f32::from(it.score), f32::from(u8::from(it.wins?)))))
        .collect();
    let loss = |scale: f32| -> f64 {
        known
            .iter()
            .step_by(known.len().div_ceil(100_000).max(1))
            .map(|(score, result)| cross_entropy(sigmoid(score / scale), *result))
            .sum()
    };
    // The loss has one minimum: golden section search on the logarithm.
    let (mut low, mut high) = (10f32.ln(), 3000f32.ln());
    let golden = 0.618;
    for _ in 0..30 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if loss(a.exp()) < loss(b.exp()) {
            high = b
        } else {
            low = a
        }
    }
    ((low + high) / 2.0).exp()
}

/// The logistic function.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The cross entropy of a predicted probability with the target's.
pub fn cross_entropy(predicted: f32, target: f32) -> f64 {
    let p = f64::from(predicted).clamp(1e-7, 1.0 - 1e-7);
    let t = f64::from(target);
    -(t * p.ln() + (1.0 - t) * (1.0 - p).ln())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Position;
    use crate::train::data::Record;

    fn sample(turn: u32, score: i32, result: Option<(bool, usize)>) -> Sample<5> {
        let text = format!("01010/10000/01012/11140/11310 e2c5 a3b5 {turn}");
        let position: Position<5> = text.parse().unwrap();
        let record = Record::new(&position, score);
        let record = result.map_or(record, |(wins, left)| record.with_result(wins, left));
        Sample::of(&record).unwrap()
    }

    /// A position a search looked at; a game of three positions, the second of
    /// which was left out; another game.
    fn games() -> Vec<Sample<5>> {
        vec![
            sample(15, 40, None),
            sample(12, 100, Some((false, 6))),
            sample(14, 50, Some((false, 4))),
            sample(15, -30, Some((true, 3))),
            sample(13, 20, Some((true, 5))),
        ]
    }

    #[test]
    fn targets_are_scores_or_results_at_the_ends() {
        let games = games();
        let scale = fit_score_scale(&games);
        let scores: Vec<f32> = games
            .iter()
            .map(|it| sigmoid(f32::from(it.score) / scale))
            .collect();
        assert_eq!(targets(&games, 0.0), scores);
        assert_eq!(targets(&games, 1.0), [scores[0], 0.0, 0.0, 1.0, 1.0]);
    }

    #[test]
    fn later_scores_of_the_game_count_less_and_less() {
        let games = games();
        let scale = fit_score_scale(&games);
        let score = |index: usize| sigmoid(f32::from(games[index].score) / scale);
        let found = targets(&games, 0.5);
        assert_eq!(found[0], score(0));
        let third = 0.5 * score(3) + 0.5;
        let second = 0.5 * score(2) + 0.5 * (1.0 - third);
        let first = 0.75 * score(1) + 0.25 * second;
        for (found, expected) in found[1..4].iter().zip([first, second, third]) {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
        assert!((found[4] - 0.5 * score(4) - 0.5).abs() < 1e-6);
    }
}
