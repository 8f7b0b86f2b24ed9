//! The training targets: for each position the probability that its mover wins.
//!
//! The result of a game is a noisy target: a late mistake reverses it. The score of a short
//! search is biased: it repeats what that search overlooks. The target is a mean of both,
//! the λ-return of temporal differences (R. Sutton, 1988). It averages the scores of the
//! position and of all later positions of the game, each weighing λ times as much as the
//! one before; the result gets the remaining weight.

use super::samples::ScoredPosition;

/// The targets of positions; positions of a game must be consecutive. With `lambda` 0 the
/// targets are the scores, with 1 the results. Without a result, the target is the score.
pub fn targets<const N: usize>(positions: &[ScoredPosition<N>], lambda: f32) -> Vec<f32> {
    let scale = fit_score_scale(positions);
    let mut targets = vec![0.0; positions.len()];
    for (index, position) in positions.iter().enumerate().rev() {
        let score_target = sigmoid(f32::from(position.score) / scale);
        let later = positions.get(index + 1);
        let (turns, in_the_end) = match (position.wins, later) {
            (None, _) => (0, score_target),
            (Some(_), Some(later)) if later.follows(position) => {
                let turns = later.turn - position.turn;
                let target = targets[index + 1];
                let same_mover = turns.is_multiple_of(2);
                (turns, if same_mover { target } else { 1.0 - target })
            }
            (Some(wins), _) => (1, f32::from(u8::from(wins))),
        };
        let share = lambda.powi(i32::from(turns));
        targets[index] = (1.0 - share) * score_target + share * in_the_end;
    }
    targets
}

/// The scale at which scores predict results best: the score at which movers win
/// e times as often as they lose.
pub fn fit_score_scale<const N: usize>(positions: &[ScoredPosition<N>]) -> f32 {
    let known: Vec<(f32, f32)> = positions
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
    // The loss has one minimum: golden-section search on the logarithm.
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

/// The cross entropy of a predicted probability with its target.
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

    fn sample(turn: u32, score: i32, result: Option<(bool, usize)>) -> ScoredPosition<5> {
        let text = format!("01010/10000/01012/11140/11310 e2c5 a3b5 {turn}");
        let position: Position<5> = text.parse().unwrap();
        let record = Record::new(&position, score);
        let record = result.map_or(record, |(wins, left)| record.with_result(wins, left));
        ScoredPosition::of(&record).unwrap()
    }

    /// A leaf of a search; a game of three positions without the second; another game.
    fn games() -> Vec<ScoredPosition<5>> {
        vec![
            sample(15, 40, None),
            sample(12, 100, Some((false, 6))),
            sample(14, 50, Some((false, 4))),
            sample(15, -30, Some((true, 3))),
            sample(13, 20, Some((true, 5))),
        ]
    }

    #[test]
    fn lambda_0_gives_scores_and_1_results() {
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
    fn proved_leaves_of_different_lines_are_not_one_game() {
        // The first player wins after turn 17 in one line, the second in the other.
        let leaves = [
            sample(14, 900, Some((true, 3))),
            sample(15, 900, Some((true, 2))),
        ];
        assert_eq!(targets(&leaves, 1.0), [1.0, 1.0]);
    }

    #[test]
    fn later_scores_weigh_less() {
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
