//! The chance of winning at a score of the search.

use crate::eval::network::features::level_sum;
use crate::openings::WinShare;
use crate::rules::{Position, Side};
use crate::search::is_proved;

/// The log-odds that a level of height adds, in one kind of game. They grow as more is
/// built: an early lead can be lost again.
struct Scale {
    /// Before anything is built.
    first: f64,
    /// Late in the game.
    last: f64,
    /// The mean level of the spaces at which 63% of the growth is reached.
    growth: f64,
}

/// Measured in self-play from about even boards with 10,000 nodes a turn
/// (`tests/long/chance.rs`), by an engine with bench signature 344692. The log-odds per
/// level are fitted to the unproved scores of all searches and the results of their games.
/// Columns are ranges of the mean level of the spaces; the last one is the fit to all
/// boards, with its 95% interval.
///
/// | games | scores | to 0.2 | to 0.4 | to 0.7 | to 1 | above | all |
/// |---|---|---|---|---|---|---|---|
/// | 1000, 5x5 | 42,858 | 0.63 | 0.87 | 1.06 | 1.10 | 1.20 | 1.10 +- 0.09 |
/// | 1000, 5x5 with cards | 21,574 | 0.70 | 0.86 | 1.02 | 0.96 | 0.79 | 0.87 +- 0.11 |
/// | 1000, 6x6 | 43,271 | 0.56 | 0.74 | 0.98 | 1.18 | 1.51 | 1.03 +- 0.07 |
const FIVE: Scale = Scale {
    first: 0.45,
    last: 1.2,
    growth: 0.35,
};
const FIVE_CARDS: Scale = Scale {
    first: 0.6,
    last: 0.92,
    growth: 0.35,
};
const SIX: Scale = Scale {
    first: 0.4,
    last: 1.6,
    growth: 0.7,
};

/// The win share as a function of the score on this board. A score of 0 is an even game.
pub fn win_share<const N: usize>(position: &Position<N>) -> WinShare {
    let Scale {
        first,
        last,
        growth,
    } = match (N, position.card(Side::Mover)) {
        (6, _) => SIX,
        (_, Some(_)) => FIVE_CARDS,
        (_, None) => FIVE,
    };
    let built = f64::from(level_sum(position)) / (N * N) as f64;
    WinShare {
        to_move: 0.0,
        level: last - (last - first) * (-built / growth).exp(),
    }
}

/// The chance that the player to move wins, from 0 to 1: a logistic function of the score
/// of a search. A proved win is 1 and a proved loss 0.
///
/// It applies to strong players of equal strength. Between people a lead is worth less.
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
    fn the_chance_rises_with_the_score() {
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
