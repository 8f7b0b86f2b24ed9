//! One game between two agents, and its record.

use std::time::Instant;

use serde_json::Map;

use super::agent::{Agent, Board, start};
use crate::protocol::exchange::write_board;
use crate::record::Ending;
use crate::record::GameRecord;
use crate::rules::Turn;

/// A game from its first turn to its end.
#[derive(Clone, Debug)]
pub struct Played {
    /// The board after both placements.
    pub start: Board,
    pub turns: Vec<Turn>,
    /// The time of both placements, unless they were given.
    pub setup_seconds: Vec<f64>,
    /// The time of each turn.
    pub seconds: Vec<f64>,
    /// Who won: 0, the player who had turn 0, or 1.
    pub winner: usize,
}

/// Lets two agents play, the first of them placing and moving first; from
/// `opening` if it is given.
pub fn play(agents: [&mut dyn Agent; 2], opening: Option<Board>) -> Played {
    let [first, second] = agents;
    let mut setup_seconds = Vec::new();
    let start = opening.unwrap_or_else(|| {
        let (own, seconds) = timed(|| first.place(None));
        setup_seconds.push(seconds);
        let (reply, seconds) = timed(|| second.place(Some(own)));
        setup_seconds.push(seconds);
        start(own, reply)
    });
    let mut game = Played {
        start,
        turns: Vec::new(),
        setup_seconds,
        seconds: Vec::new(),
        winner: 0,
    };
    let mut board = start;
    let mut mover = (start.turn() % 2) as usize;
    while board.has_turn() {
        let agent: &mut dyn Agent = if mover == 0 { first } else { second };
        let (turn, seconds) = timed(|| agent.turn(&board));
        debug_assert!(board.turns().contains(&turn), "{turn:?} on {board}");
        game.turns.push(turn);
        game.seconds.push(seconds);
        if turn.wins() {
            game.winner = mover;
            return game;
        }
        board = board.play(turn);
        mover = 1 - mover;
    }
    game.winner = 1 - mover;
    game
}

fn timed<T>(action: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = action();
    (result, start.elapsed().as_secs_f64())
}

impl Played {
    /// The player who had the turn with this index: 0, who has the even turn
    /// numbers, or 1.
    fn player_of(&self, index: usize) -> usize {
        (self.start.turn() as usize + index) % 2
    }

    /// The times that a player took for its placement and its turns.
    pub fn seconds_of(&self, player: usize) -> impl Iterator<Item = f64> + '_ {
        let setup = self.setup_seconds.get(player).copied();
        let turns = self.seconds.iter().enumerate();
        let own = turns.filter(move |&(index, _)| self.player_of(index) == player);
        setup.into_iter().chain(own.map(|(_, &seconds)| seconds))
    }

    /// The time of the whole game.
    pub fn total_seconds(&self) -> f64 {
        self.setup_seconds.iter().chain(&self.seconds).sum()
    }

    /// The record of the game, as tournaments keep it.
    pub fn record(&self, game: u64, players: [String; 2]) -> GameRecord {
        let wins = self.turns.last().is_some_and(|turn| turn.wins());
        let ending = if wins {
            Ending::Win
        } else {
            Ending::NoTurnLeft
        };
        GameRecord {
            game,
            players,
            cards: None,
            start: Some(write_board(&self.start)),
            turns: self
                .turns
                .iter()
                .map(|turn| turn.text::<5>().to_string())
                .collect(),
            seconds: self.seconds.clone(),
            setup_seconds: self.setup_seconds.clone(),
            winner: Some(self.winner as u8),
            ending: ending.name().to_string(),
            why: None,
            pair: None,
            more: Map::new(),
        }
    }

    /// Every board of the game on which a player had to choose a turn, with
    /// the player.
    pub fn boards(&self) -> impl Iterator<Item = (usize, Board)> + '_ {
        let turns = self.turns.iter().enumerate();
        turns.scan(self.start, |board, (index, &turn)| {
            let before = *board;
            *board = board.play(turn);
            Some((self.player_of(index), before))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::factory::Factory;
    use crate::openings::random_opening;

    fn play_random(seed: u64, opening: Option<Board>) -> Played {
        let factory = Factory::new(&"random".parse().unwrap(), 0, &mut |_, _| {}).unwrap();
        let (mut first, mut second) = (factory.agent(seed), factory.agent(seed + 1));
        play([&mut *first, &mut *second], opening)
    }

    #[test]
    fn records_of_games_replay() {
        for seed in 0..50 {
            let opening =
                (seed % 2 == 1).then(|| random_opening(seed as u32 % 4, seed, 0, [None, None]));
            let game = play_random(seed, opening);
            let record = game.record(seed, ["A".into(), "B".into()]);
            let replay = record.replay::<5>().unwrap();
            let last = replay.positions.last().unwrap();
            assert_eq!(last.shows_win(), record.ending == "win");
            assert!(last.shows_win() || !last.has_turn());
            // Who made the last turn, or has none, is told by its number.
            assert_eq!(game.winner as u32, (last.turn() + 1) % 2);
            assert_eq!(game.seconds.len(), replay.turns.len());
            let boards: Vec<Board> = game.boards().map(|(_, board)| board).collect();
            assert_eq!(boards[..], replay.positions[..boards.len()]);
            assert!(
                game.boards()
                    .all(|(player, board)| player as u32 == board.turn() % 2)
            );
        }
    }

    #[test]
    fn the_times_of_the_players_make_up_the_game() {
        let game = play_random(3, None);
        let sum: f64 = (0..2).flat_map(|player| game.seconds_of(player)).sum();
        assert!((sum - game.total_seconds()).abs() < 1e-9);
        assert_eq!(game.setup_seconds.len(), 2);
    }
}
