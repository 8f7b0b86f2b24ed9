//! Scores turns by the evaluation of the board after each, without a search.

use crate::eval::network::NetworkEvaluator;
use crate::eval::{EvalKind, Evaluator, Weighted};
use crate::rules::{Position, Turn};
use crate::search::{loss_in, win_in};

/// Every legal turn with its score for the mover: the evaluation of the board after it, or
/// a win if the turn wins. With `attentive`, turns that let the opponent win at once score
/// as losses.
pub(super) fn score_turns<const N: usize>(
    position: &Position<N>,
    eval: EvalKind,
    attentive: bool,
) -> Vec<(i32, Turn)> {
    match eval.within_memory(position) {
        EvalKind::Network(networks) => {
            let evaluator =
                NetworkEvaluator::new(networks.for_position(position), position.cards());
            score_turns_with(position, evaluator, attentive)
        }
        EvalKind::Weighted(weights) => score_turns_with(position, Weighted(weights), attentive),
    }
}

fn score_turns_with<const N: usize>(
    position: &Position<N>,
    mut evaluator: impl Evaluator<N>,
    attentive: bool,
) -> Vec<(i32, Turn)> {
    evaluator.reset(position);
    let mut score = |turn: Turn| {
        if turn.wins() {
            return win_in(1);
        }
        let after = position.play(turn);
        if !after.has_turn() {
            return win_in(2);
        }
        if attentive && after.has_win() {
            return loss_in(2);
        }
        evaluator.push(turn, &after);
        let value = -evaluator.evaluate(&after);
        evaluator.pop();
        value
    };
    let turns = position.turns();
    turns.into_iter().map(|turn| (score(turn), turn)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_seen_and_threats_only_if_attentive() {
        // The mover can win on c3; the opponent on d5 threatens e5, which only
        // the other worker can cap.
        let board: Position<5> = "00000/01200/00320/00000/00023 c2d4 e4a1 6".parse().unwrap();
        let scores = score_turns(&board, EvalKind::network(), true);
        assert!(
            scores
                .iter()
                .all(|(score, turn)| turn.wins() == (*score == win_in(1)))
        );
        assert!(scores.iter().any(|(score, _)| *score == win_in(1)));

        let threat: Position<5> = "00000/00000/00000/00012/00003 c3c4 e4a1 8".parse().unwrap();
        for (attentive, seen) in [(true, true), (false, false)] {
            let scores = score_turns(&threat, EvalKind::network(), attentive);
            let lost = scores.iter().filter(|(score, _)| *score == loss_in(2));
            assert_eq!(lost.count() > 0, seen);
        }
        let holds =
            |(score, turn): &(i32, Turn)| threat.play(*turn).has_win() == (*score == loss_in(2));
        assert!(
            score_turns(&threat, EvalKind::network(), true)
                .iter()
                .all(holds)
        );
    }

    #[test]
    fn leaving_the_opponent_without_a_turn_scores_as_a_win() {
        // A build on c1 leaves the opponent without a turn.
        let board: Position<5> = "00100/44400/00000/00000/00000 d1e5 a1b1 9".parse().unwrap();
        let scores = score_turns(&board, EvalKind::network(), true);
        for (score, turn) in &scores {
            assert_eq!(
                *score == win_in(2),
                !board.play(*turn).has_turn(),
                "{turn:?}"
            );
        }
        assert!(scores.iter().any(|(score, _)| *score == win_in(2)));
    }
}
