//! One game of the tournament protocol: placements in turn, then moves and builds as
//! separate answers. A pure state machine: nothing here waits, sends or knows about
//! connections.

use super::refusal::{IllegalAnswer, why_no_build, why_no_step};
use crate::protocol::tcp::{Answer, DRAW, SIZE, State, Status};
use crate::record::Ending;
use crate::rules::{Position, Square, Turn};

/// The outcome of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The player, 0 or 1, that won; `None` for a draw.
    pub winner: Option<usize>,
    /// How the game ended.
    pub ending: Ending,
}

/// What the game waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Place,
    Move,
    /// The worker of the player to move stepped from `from` to `to`.
    Build {
        from: Square,
        to: Square,
    },
    Over(Outcome),
}

/// One game between player 0, who begins, and player 1.
#[derive(Debug, Clone)]
pub struct Game {
    stage: Stage,
    /// The squares of workers 1 and 2 of each player.
    workers: [[Option<Square>; 2]; 2],
    /// The board before the current turn; `None` during placement.
    position: Option<Position<SIZE>>,
    start: Option<Position<SIZE>>,
    turns: Vec<Turn>,
    answers: Vec<Answer>,
}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}

impl Game {
    /// Creates a game on the empty board.
    pub const fn new() -> Self {
        Self {
            stage: Stage::Place,
            workers: [[None; 2]; 2],
            position: None,
            start: None,
            turns: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// The player to answer; `None` once the game is over.
    pub fn to_answer(&self) -> Option<usize> {
        match self.stage {
            Stage::Place => Some(self.answers.len() % 2),
            Stage::Move | Stage::Build { .. } => Some(self.turns.len() % 2),
            Stage::Over(_) => None,
        }
    }

    /// What the game waits for.
    pub const fn status(&self) -> Status {
        match self.stage {
            Stage::Place => Status::PlaceWorker,
            Stage::Move => Status::MoveWorker,
            Stage::Build { .. } => Status::Build,
            Stage::Over(_) => Status::GameOver,
        }
    }

    /// The outcome, once the game is over.
    pub const fn outcome(&self) -> Option<Outcome> {
        match self.stage {
            Stage::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// The board after placement.
    pub const fn start(&self) -> Option<&Position<SIZE>> {
        self.start.as_ref()
    }

    /// The complete turns.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The legal answers in order. Replaying them gives the same game.
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// Plays a player's answer.
    ///
    /// # Errors
    /// If it is not this player's turn, or the answer breaks a rule. The game is
    /// unchanged then.
    pub fn answer(&mut self, player: usize, answer: Answer) -> Result<(), IllegalAnswer> {
        if self.to_answer() != Some(player) {
            return Err(IllegalAnswer::NotYourTurn);
        }
        match (self.stage, self.position, answer) {
            (Stage::Place, _, Answer::Space(square)) => self.place_worker(player, square)?,
            (Stage::Move, Some(position), Answer::Move { worker, to }) => {
                self.move_worker(&position, player, worker, to)?;
            }
            (Stage::Build { from, to }, Some(position), Answer::Space(square)) => {
                self.build(&position, from, to, square)?;
            }
            _ => return Err(IllegalAnswer::WrongKind),
        }
        self.answers.push(answer);
        self.check_status();
        Ok(())
    }

    /// Ends the game, unless it is over. Without a winner it is a draw.
    pub fn end(&mut self, winner: Option<usize>, ending: Ending) {
        if self.outcome().is_none() {
            self.stage = Stage::Over(Outcome { winner, ending });
        }
    }

    fn place_worker(&mut self, player: usize, square: Square) -> Result<(), IllegalAnswer> {
        if self.workers.as_flattened().contains(&Some(square)) {
            return Err(IllegalAnswer::Occupied(square));
        }
        let first_free = self.workers[player].iter_mut().find(|w| w.is_none());
        *first_free.ok_or(IllegalAnswer::WrongKind)? = Some(square);
        Ok(())
    }

    fn move_worker(
        &mut self,
        position: &Position<SIZE>,
        player: usize,
        worker: u8,
        to: Square,
    ) -> Result<(), IllegalAnswer> {
        let slot = self.workers[player].get_mut(usize::from(worker));
        let Some(slot @ &mut Some(from)) = slot else {
            return Err(IllegalAnswer::WrongKind);
        };
        if !position.steps(from).has(to) {
            return Err(why_no_step(position, worker + 1, from, to));
        }
        *slot = Some(to);
        if position.step_wins(from, to) {
            self.turns.push(Turn::winning(from, to));
            self.end(Some(player), Ending::Win);
        } else {
            self.stage = Stage::Build { from, to };
        }
        Ok(())
    }

    fn build(
        &mut self,
        position: &Position<SIZE>,
        from: Square,
        to: Square,
        square: Square,
    ) -> Result<(), IllegalAnswer> {
        if !position.builds_after(from, to).has(square) {
            return Err(why_no_build(position, from, to, square));
        }
        let turn = Turn::winning(from, to).building(square);
        self.turns.push(turn);
        self.position = Some(position.play(turn));
        self.stage = Stage::Move;
        Ok(())
    }

    /// Updates the stage after an answer: placement ends with the fourth worker, and a
    /// player without a legal turn loses.
    fn check_status(&mut self) {
        if let (Stage::Place, [[Some(a), Some(b)], [Some(c), Some(d)]]) = (self.stage, self.workers)
        {
            // This cannot fail: the squares differ, and the board is empty.
            self.position = Position::start([[a, b], [c, d]], [None, None]).ok();
            self.start = self.position;
            self.stage = Stage::Move;
        }
        let stuck = self.position.is_some_and(|position| !position.has_turn());
        if let (Stage::Move, Some(mover), true) = (self.stage, self.to_answer(), stuck) {
            self.end(Some(1 - mover), Ending::NoTurnLeft);
        }
    }

    /// The state message, with the names of both players.
    pub fn state<'a>(&self, names: [&'a str; 2]) -> State<'a> {
        let named = match self.stage {
            Stage::Over(outcome) => outcome.winner,
            _ => self.to_answer(),
        };
        let mut floors = [[0; SIZE]; SIZE];
        if let Some(position) = self.position {
            for (index, floor) in floors.as_flattened_mut().iter_mut().enumerate() {
                *floor = position.level(Square::new(index));
            }
        }
        State {
            status: self.status(),
            turn: named.map_or(DRAW, |player| names[player]),
            floors,
            names,
            workers: self.workers,
        }
    }

    /// Replays recorded answers. Returns the line of every state; the last one shows the
    /// outcome.
    pub fn replay(answers: &[Answer], outcome: Outcome, names: [&str; 2]) -> Vec<String> {
        let mut game = Self::new();
        let mut lines = vec![game.state(names).line()];
        for &answer in answers {
            let player = game.to_answer();
            if player.is_none_or(|player| game.answer(player, answer).is_err()) {
                break;
            }
            lines.push(game.state(names).line());
        }
        if game.outcome().is_none() {
            game.end(outcome.winner, outcome.ending);
            lines.push(game.state(names).line());
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(x: usize, y: usize) -> Square {
        Square::at::<SIZE>(y, x)
    }

    /// Plays answers, given as text, for the player to answer.
    fn play(game: &mut Game, answers: &[&str]) {
        for text in answers {
            let player = game.to_answer().expect("the game goes on");
            let answer = Answer::parse(game.status(), text.as_bytes()).unwrap();
            game.answer(player, answer).expect(text);
        }
    }

    fn refusal(game: &mut Game, text: &str) -> String {
        let before = game.state(["a", "b"]).line();
        let answer = Answer::parse(game.status(), text.as_bytes()).unwrap();
        let refusal = game.answer(game.to_answer().unwrap(), answer).unwrap_err();
        assert_eq!(
            game.state(["a", "b"]).line(),
            before,
            "a refusal changes nothing"
        );
        refusal.to_string()
    }

    #[test]
    fn players_place_in_turn_and_then_player_one_moves() {
        let mut game = Game::new();
        for (answer, player) in [("1 1", 0), ("4 4", 1), ("1 3", 0), ("4 2", 1)] {
            assert_eq!(game.status(), Status::PlaceWorker);
            assert_eq!(game.to_answer(), Some(player));
            play(&mut game, &[answer]);
        }
        assert_eq!(game.status(), Status::MoveWorker);
        assert_eq!(game.to_answer(), Some(0));
        let state = game.state(["a", "b"]);
        assert_eq!(state.workers[0], [Some(spot(1, 1)), Some(spot(1, 3))]);
        assert_eq!(state.workers[1], [Some(spot(4, 4)), Some(spot(4, 2))]);
        assert_eq!(game.start().unwrap().turn(), 0);
    }

    #[test]
    fn workers_keep_their_numbers_through_a_turn() {
        let mut game = Game::new();
        play(
            &mut game,
            &["3 3", "5 5", "1 1", "5 4", "1 3 2", "3 3", "2 4 3"],
        );
        let state = game.state(["a", "b"]);
        assert_eq!(state.status, Status::Build);
        assert_eq!(state.turn, "b");
        assert_eq!(state.floors[3][3], 1);
        assert_eq!(state.workers[0], [Some(spot(3, 2)), Some(spot(1, 1))]);
        assert_eq!(state.workers[1], [Some(spot(5, 5)), Some(spot(4, 3))]);
        play(&mut game, &["3 3"]);
        assert_eq!(game.turns().len(), 2);
        assert_eq!(game.state(["a", "b"]).floors[3][3], 2);
    }

    #[test]
    fn refusals_say_what_is_wrong() {
        let mut game = Game::new();
        play(&mut game, &["2 2"]);
        assert_eq!(refusal(&mut game, "2 2"), "a worker stands on 2 2");
        play(&mut game, &["3 3", "0 0", "5 5"]);
        assert_eq!(refusal(&mut game, "1 3 3"), "a worker stands on 3 3");
        assert_eq!(refusal(&mut game, "1 2 2").matches("2 2").count(), 2);
        assert!(refusal(&mut game, "2 2 0").contains("not next to"));
        play(&mut game, &["1 2 3"]);
        assert_eq!(refusal(&mut game, "3 3"), "a worker stands on 3 3");
        assert_eq!(refusal(&mut game, "2 3"), "a worker stands on 2 3");
        assert!(refusal(&mut game, "2 1").contains("not next to"));
        let out_of_turn = game.answer(1, Answer::Space(spot(2, 2)));
        assert_eq!(out_of_turn, Err(IllegalAnswer::NotYourTurn));
        let wrong_kind = game.answer(
            0,
            Answer::Move {
                worker: 0,
                to: spot(2, 2),
            },
        );
        assert_eq!(wrong_kind, Err(IllegalAnswer::WrongKind));
    }

    /// Answers of both players, who raise the space 2 2 by one floor each turn.
    const TOWER: [&str; 16] = [
        "1 1", "3 3", "1 3", "5 5", // placed
        "1 2 1", "2 2", "1 3 2", "2 2", // 2 2 has two floors
        "1 1 1", "2 2", "1 3 3", "2 2", // and now four
        "1 2 1", "1 1", "1 4 3", "3 4",
    ];

    #[test]
    fn towers_block_steps_and_builds() {
        let mut game = Game::new();
        play(&mut game, &TOWER[..8]);
        assert!(refusal(&mut game, "2 2 2").contains("2 floors and worker 2 stands on 0"));
        play(&mut game, &TOWER[8..12]);
        assert!(refusal(&mut game, "1 2 2").contains("already has 4 floors"));
        play(&mut game, &TOWER[12..13]);
        assert!(refusal(&mut game, "2 2").contains("already has 4 floors"));
    }

    /// Plays on with half turns picked by `choose`.
    fn playout(game: &mut Game, mut choose: impl FnMut(usize) -> usize) {
        while let (Some(player), Some(position)) = (game.to_answer(), game.position) {
            let mut answers = Vec::new();
            match game.stage {
                Stage::Move => {
                    for (worker, from) in game.workers[player].iter().flatten().enumerate() {
                        let worker = worker as u8;
                        answers.extend(position.steps(*from).map(|to| Answer::Move { worker, to }));
                    }
                }
                Stage::Build { from, to } => {
                    answers.extend(position.builds_after(from, to).map(Answer::Space));
                }
                _ => unreachable!("workers are placed"),
            }
            let choice = answers[choose(answers.len())];
            game.answer(player, choice).unwrap();
        }
    }

    #[test]
    fn random_games_end_and_replay_to_the_same_lines() {
        let mut seen = [0; 2];
        let mut random = 1u64;
        for _ in 0..300 {
            let mut game = Game::new();
            play(&mut game, &["2 2", "3 3", "0 0", "0 1"]);
            playout(&mut game, |length| {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1);
                (random >> 33) as usize % length
            });
            let outcome = game.outcome().unwrap();
            seen[(outcome.ending == Ending::Win) as usize] += 1;
            let mut position = *game.start().unwrap();
            for turn in game.turns() {
                assert!(position.turns().contains(turn));
                position = position.play(*turn);
            }
            let winner = outcome.winner.unwrap();
            let won = game.turns().last().unwrap().wins();
            assert_eq!(won, outcome.ending == Ending::Win);
            assert_eq!(winner, (game.turns().len() + 1) % 2);
            assert_eq!(won, position.shows_win());
            let lines = Game::replay(game.answers(), outcome, ["a", "b"]);
            assert_eq!(lines.len(), game.answers().len() + 1);
            assert_eq!(lines.last(), Some(&game.state(["a", "b"]).line()));
            assert!(lines.last().unwrap().starts_with("[\"gameOver\""));
        }
        assert!(seen[1] > 100, "{seen:?}");
    }

    #[test]
    fn a_player_without_a_legal_turn_loses() {
        // b's two workers sit in a corner behind towers of two floors; a's
        // last build closes the ring.
        let mut game = Game::new();
        play(&mut game, &["2 1", "0 0", "3 3", "1 0"]);
        let levels = [
            [0, 0, 2, 0, 0, 0],
            [2, 2, 1, 0, 0, 0],
            [0, 0, 0, 0, 0, 0],
            [0; 6],
            [0; 6],
            [0; 6],
        ];
        let at = [[spot(2, 1), spot(3, 3)], [spot(0, 0), spot(1, 0)]];
        game.position = Some(Position::new(&levels, at, [None, None], 0).unwrap());
        play(&mut game, &["1 2 2", "2 1"]);
        let outcome = game.outcome().unwrap();
        assert_eq!(outcome.ending, Ending::NoTurnLeft);
        assert_eq!(outcome.winner, Some(0));
        assert_eq!(game.state(["a", "b"]).turn, "a");
    }

    #[test]
    fn forfeits_and_draws_end_the_game_once() {
        let mut game = Game::new();
        game.end(Some(1), Ending::TimeOut);
        game.end(None, Ending::Interrupted);
        let outcome = game.outcome().unwrap();
        assert_eq!((outcome.winner, outcome.ending), (Some(1), Ending::TimeOut));
        assert_eq!(
            game.answer(0, Answer::Space(spot(0, 0))),
            Err(IllegalAnswer::NotYourTurn)
        );
        let mut game = Game::new();
        game.end(None, Ending::Disconnected);
        assert_eq!(game.state(["a", "b"]).turn, DRAW);
    }
}
