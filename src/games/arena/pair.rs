//! Two games from one board, with the seats swapped.

/// Which games of a pair the first of two players won: that in which it moved
/// first, and the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    pub moving_first: bool,
    pub moving_second: bool,
}

impl Pair {
    /// Plays both games. `first_mover_wins` is told the players, 0 and 1, in
    /// the order in which they move.
    pub fn play(mut first_mover_wins: impl FnMut([usize; 2]) -> bool) -> Self {
        Self {
            moving_first: first_mover_wins([0, 1]),
            moving_second: !first_mover_wins([1, 0]),
        }
    }

    /// How many of both games the first player won.
    pub fn wins(self) -> u64 {
        u64::from(self.moving_first) + u64::from(self.moving_second)
    }

    /// How many of both games were won by who moved first.
    pub fn first_mover_wins(self) -> u64 {
        u64::from(self.moving_first) + u64::from(!self.moving_second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_are_those_of_the_first_player() {
        // Who wins: always player 0, always player 1, always who moves first.
        let pairs = [
            Pair::play(|[first, _]| first == 0),
            Pair::play(|[first, _]| first == 1),
            Pair::play(|_| true),
        ];
        assert_eq!(pairs.map(Pair::wins), [2, 0, 1]);
        assert_eq!(pairs.map(Pair::first_mover_wins), [1, 1, 2]);
    }
}
