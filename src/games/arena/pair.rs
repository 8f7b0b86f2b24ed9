//! Two games from one board, with the seats swapped.

/// Which games of a pair the first player won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// Whether the first player won the game that it began.
    pub moving_first: bool,
    /// Whether the first player won the game that the other began.
    pub moving_second: bool,
}

impl Pair {
    /// Plays both games. The argument of `first_mover_wins` is the order in which the
    /// players 0 and 1 move.
    pub fn play(mut first_mover_wins: impl FnMut([usize; 2]) -> bool) -> Self {
        Self {
            moving_first: first_mover_wins([0, 1]),
            moving_second: !first_mover_wins([1, 0]),
        }
    }

    /// The number of games that the first player won.
    pub fn wins(self) -> u64 {
        u64::from(self.moving_first) + u64::from(self.moving_second)
    }

    /// The number of games won by the player that moved first.
    pub fn first_mover_wins(self) -> u64 {
        u64::from(self.moving_first) + u64::from(!self.moving_second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_counted_for_the_first_player() {
        // The winner: always player 0, always player 1, always the first to move.
        let pairs = [
            Pair::play(|[first, _]| first == 0),
            Pair::play(|[first, _]| first == 1),
            Pair::play(|_| true),
        ];
        assert_eq!(pairs.map(Pair::wins), [2, 0, 1]);
        assert_eq!(pairs.map(Pair::first_mover_wins), [1, 1, 2]);
    }
}
