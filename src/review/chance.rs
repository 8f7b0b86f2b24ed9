//! The chance of winning that goes with a score of the search.

use crate::openings::WinShare;
use crate::rules::{Position, Side};
use crate::search::is_proved;

/// What a level of height adds to the log-odds of a win, by kind of game: measured
/// on games of the program with itself, the score of each board by 15,000 nodes
/// against the result of its game (`tests/long/chance.rs` plays more).
///
/// | games | players' nodes a turn | scores | a level |
/// |---|---|---|---|
/// | 60, 5x5 | 5000 | 1477 | 0.53 (0.47 to 0.60) |
/// | 1000 openings of the built-in book | 30,000 | 1000 | 0.605 |
/// | 60, 5x5 with cards | 3000 | 1396 | 0.49 (0.43 to 0.55) |
/// | 25, 6x6 | 0.01 s | 1047 | 2.56 (2.2 to 2.9) |
const LEVEL_FIVE: f64 = 0.57;
const LEVEL_FIVE_CARDS: f64 = 0.49;
const LEVEL_SIX: f64 = 2.5;

/// The share of games that a score is worth in games of this kind. A score of 0 is
/// an even game.
pub fn win_share<const N: usize>(position: &Position<N>) -> WinShare {
    let level = match (N, position.card(Side::Mover)) {
        (6, _) => LEVEL_SIX,
        (_, Some(_)) => LEVEL_FIVE_CARDS,
        (_, None) => LEVEL_FIVE,
    };
    WinShare {
        to_move: 0.0,
        level,
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
    win_share(position).of(score)
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
        let a_level = chance(&board, 100);
        assert!(((a_level / (1.0 - a_level)).ln() - LEVEL_FIVE).abs() < 1e-9);
        let scores = [-5000, -300, -1, 0, 1, 40, 700];
        assert!(scores.map(|score| chance(&board, score)).is_sorted());
    }
}
