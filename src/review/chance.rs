//! The chance of winning that goes with a score of the search.

use crate::rules::{Position, Side};
use crate::search::is_proved;

/// The scores at which the player to move wins e times as often as it loses, in
/// hundredths of a level of height, by kind of game. Measured on games of the
/// program with itself (`tests/long/chance.rs`).
const SCALE_FIVE: f64 = 100.0;
const SCALE_FIVE_CARDS: f64 = 100.0;
const SCALE_SIX: f64 = 100.0;

/// The scale of scores in games of this kind.
pub fn scale<const N: usize>(position: &Position<N>) -> f64 {
    match (N, position.card(Side::Mover)) {
        (6, _) => SCALE_SIX,
        (_, Some(_)) => SCALE_FIVE_CARDS,
        (_, None) => SCALE_FIVE,
    }
}

/// The chance that the player to move wins, from 0 to 1, by the score of a search:
/// a logistic function of the score. A proved win is 1 and a proved loss 0.
///
/// It is the chance between equal strong players. Between people a lead is worth
/// less.
pub fn chance<const N: usize>(position: &Position<N>, score: i32) -> f64 {
    if is_proved(score) {
        return f64::from(u8::from(score > 0));
    }
    1.0 / (1.0 + (-f64::from(score) / scale(position)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{loss_in, win_in};

    #[test]
    fn a_chance_rises_with_the_score_and_ends_in_certainty() {
        let board: Position<5> = "00000/00000/00000/00000/00000 b3d3 c2c4 0".parse().unwrap();
        assert_eq!(chance(&board, 0), 0.5);
        assert_eq!(chance(&board, win_in(9)), 1.0);
        assert_eq!(chance(&board, loss_in(9)), 0.0);
        let at_scale = chance(&board, scale(&board).round() as i32);
        assert!((at_scale / (1.0 - at_scale)).ln() - 1.0 < 0.01);
        let scores = [-5000, -300, -1, 0, 1, 40, 700];
        assert!(scores.map(|score| chance(&board, score)).is_sorted());
    }
}
