//! One game, played from a start position to its end.

use crate::clock::Instant;
use crate::rules::{Position, Turn};

/// What the player to move does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Plays a legal turn.
    Play(Turn),
    /// Ends the game because its outcome is proved.
    Adjudicate {
        /// Whether the player to move wins the game.
        mover_wins: bool,
    },
}

impl Action {
    /// Ends a game that was stopped or failed; its winner is meaningless.
    pub const STOPPED: Self = Self::Adjudicate { mover_wins: false };
}

/// A game from its first turn to its end. Player 0 plays the turns with even numbers.
#[derive(Clone, Debug)]
pub struct PlayedGame<const N: usize> {
    /// The position before the first turn.
    pub start: Position<N>,
    /// All turns, in order.
    pub turns: Vec<Turn>,
    /// The time of each turn in seconds.
    pub seconds: Vec<f64>,
    /// The index of the player that won.
    pub winner: usize,
}

impl<const N: usize> PlayedGame<N> {
    /// Plays a game to its end. `choose` acts for both players; its first argument is the
    /// index of the player to move.
    pub fn play(start: Position<N>, mut choose: impl FnMut(usize, &Position<N>) -> Action) -> Self {
        let mut game = Self {
            start,
            turns: Vec::new(),
            seconds: Vec::new(),
            winner: 0,
        };
        let mut position = start;
        let mut mover = game.mover_of(0);
        let mover_wins = loop {
            if !position.has_turn() {
                break false;
            }
            let began = Instant::now();
            let action = choose(mover, &position);
            let seconds = began.elapsed().as_secs_f64();
            let turn = match action {
                Action::Play(turn) => turn,
                Action::Adjudicate { mover_wins } => break mover_wins,
            };
            debug_assert!(position.turns().contains(&turn), "{turn:?} on {position}");
            game.turns.push(turn);
            game.seconds.push(seconds);
            if turn.wins() {
                break true;
            }
            position = position.play(turn);
            mover = 1 - mover;
        };
        game.winner = if mover_wins { mover } else { 1 - mover };
        game
    }

    /// Whether the player that moved first won.
    pub fn first_mover_won(&self) -> bool {
        self.winner == self.mover_of(0)
    }

    /// The index of the player that made the turn with this index.
    pub fn mover_of(&self, index: usize) -> usize {
        (self.start.player() + index) % 2
    }

    /// The times of a player's turns in seconds.
    pub fn seconds_of(&self, player: usize) -> impl Iterator<Item = f64> + '_ {
        let turns = self.seconds.iter().enumerate();
        let own = turns.filter(move |&(index, _)| self.mover_of(index) == player);
        own.map(|(_, &seconds)| seconds)
    }

    /// Every board on which a turn was chosen, with the index of the player that chose it.
    pub fn boards(&self) -> impl Iterator<Item = (usize, Position<N>)> + '_ {
        let turns = self.turns.iter().enumerate();
        turns.scan(self.start, |position, (index, &turn)| {
            let before = *position;
            *position = position.play(turn);
            Some((self.mover_of(index), before))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::openings::random_opening;
    use crate::seeds::seeded;

    fn random_game(turns: u32, seed: u64) -> PlayedGame<5> {
        let mut rng = seeded(seed);
        let start = random_opening(turns, seed, 0, [None; 2]);
        PlayedGame::play(start, |_, position| {
            Action::Play(position.random_turn(&mut rng).expect("there is a turn"))
        })
    }

    #[test]
    fn a_game_is_played_to_its_end() {
        for seed in 0..50 {
            let opening = seed as u32 % 4;
            let game = random_game(opening, seed);
            let boards: Vec<(usize, Position<5>)> = game.boards().collect();
            assert_eq!((boards.len(), boards[0].1), (game.turns.len(), game.start));
            for (index, (player, board)) in boards.iter().enumerate() {
                assert_eq!(*player as u32, board.turn() % 2);
                assert_eq!(board.turn(), opening + index as u32);
            }
            let &(last, board) = boards.last().unwrap();
            let turn = game.turns[game.turns.len() - 1];
            // It ended by a win or left the opponent without a turn.
            assert!(turn.wins() || !board.play(turn).has_turn());
            assert_eq!(game.winner, last);
            assert_eq!(
                game.first_mover_won(),
                game.winner as u32 == game.start.turn() % 2
            );
        }
    }

    #[test]
    fn the_times_of_both_players_add_up() {
        let game = random_game(1, 3);
        let sum: f64 = (0..2).flat_map(|player| game.seconds_of(player)).sum();
        assert!((sum - game.seconds.iter().sum::<f64>()).abs() < 1e-9);
        assert_eq!(game.seconds.len(), game.turns.len());
    }

    #[test]
    fn the_player_to_move_can_end_the_game() {
        for (opening, mover_wins) in [(2, true), (2, false), (3, true), (3, false)] {
            let start = random_opening::<5>(opening, 1, 0, [None; 2]);
            let mut moves = 0;
            let game = PlayedGame::play(start, |player, position| {
                assert_eq!(player as u32, position.turn() % 2);
                moves += 1;
                match moves {
                    1 => Action::Play(position.turns()[0]),
                    _ => Action::Adjudicate { mover_wins },
                }
            });
            assert_eq!(game.turns.len(), 1);
            // The second player to move ended it.
            assert_eq!(game.first_mover_won(), !mover_wins);
        }
    }

    #[test]
    fn a_player_without_a_turn_has_lost() {
        let stuck = "04440/44444/44444/44444/00444 a1e1 a5b5 9".parse().unwrap();
        let game: PlayedGame<5> = PlayedGame::play(stuck, |_, _| unreachable!("there is no turn"));
        assert_eq!((game.winner, game.turns.len()), (0, 0));
    }
}
