//! The chance of winning by the score of a search.

use crate::eval::network::features::level_sum;
use crate::openings::WinShare;
use crate::rules::{Position, Side};
use crate::search::is_proved;

/// What a level of height adds to the log-odds of a win, in one kind of game. It grows
/// as more is built: an early lead can be lost again.
struct Scale {
    /// Before anything is built.
    first: f64,
    /// Late in the game.
    last: f64,
    /// The mean level of the spaces at which most of the way is gone.
    way: f64,
}

/// Measured on games of the program with itself, 10,000 nodes a turn, from about
/// even boards (`tests/long/chance.rs`): the scores of all searches that proved
/// nothing against the results of their games, by how much had been built, as the
/// mean level of the spaces. The last column is the fit to all boards, with its 95%
/// interval. The engine was that of signature 344692, as `santorini bench` prints it.
///
/// | games | scores | to 0.2 | to 0.4 | to 0.7 | to 1 | above | all |
/// |---|---|---|---|---|---|---|---|
/// | 1000, 5x5 | 42,858 | 0.63 | 0.87 | 1.06 | 1.10 | 1.20 | 1.10 +- 0.09 |
/// | 1000, 5x5 with cards | 21,574 | 0.70 | 0.86 | 1.02 | 0.96 | 0.79 | 0.87 +- 0.11 |
/// | 1000, 6x6 | 43,271 | 0.56 | 0.74 | 0.98 | 1.18 | 1.51 | 1.03 +- 0.07 |
const FIVE: Scale = Scale {
    first: 0.45,
    last: 1.2,
    way: 0.35,
};
const FIVE_CARDS: Scale = Scale {
    first: 0.6,
    last: 0.92,
    way: 0.35,
};
const SIX: Scale = Scale {
    first: 0.4,
    last: 1.6,
    way: 0.7,
};

/// The share of games that a score is worth on this board. A score of 0 is an even
/// game.
pub fn win_share<const N: usize>(position: &Position<N>) -> WinShare {
    let Scale { first, last, way } = match (N, position.card(Side::Mover)) {
        (6, _) => SIX,
        (_, Some(_)) => FIVE_CARDS,
        (_, None) => FIVE,
    };
    let built = f64::from(level_sum(position)) / (N * N) as f64;
    WinShare {
        to_move: 0.0,
        level: last - (last - first) * (-built / way).exp(),
    }
}

/// The chance that the player to move wins, from 0 to 1, by the score of a search:
/// a logistic function of the score. A proved win is 1 and a proved loss 0.
///
/// It applies to equal strong players. Between people a lead is worth less.
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
        assert!(((a_level / (1.0 - a_level)).ln() - FIVE.first).abs() < 1e-9);
        let late: Position<5> = "43210/43210/43210/43210/43210 b3d3 c2c4 50"
            .parse()
            .unwrap();
        assert!(chance(&late, 100) > a_level && chance(&late, -100) < 1.0 - a_level);
        let scores = [-5000, -300, -1, 0, 1, 40, 700];
        assert!(scores.map(|score| chance(&board, score)).is_sorted());
    }
}
