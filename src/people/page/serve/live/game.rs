//! The game that two pages share. Each request is checked by the rules.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::at_size;
use crate::page::backend::{cards_or_none, check_size};
use crate::page::opponents::{names, placement};
use crate::page::view::scene_after;
use crate::rules::{AnyPosition, Card, Position};
use crate::seeds::fresh_seed;

/// What a player may do. Seats are 0 and 1.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum LiveAction {
    /// Places both workers.
    Place { squares: [String; 2] },
    /// Plays a turn. `number` is the number of turns before it, so a turn that is sent twice
    /// is played once.
    Turn { number: usize, turn: String },
    /// Gives up.
    Resign {},
    /// Asks to take back the last turn of the player who asks.
    AskBack {},
    /// Answers the other player's request to take back.
    AnswerBack { yes: bool },
}

/// The game of two pages.
#[derive(Debug)]
pub(super) struct SharedGame {
    /// Tells games apart. Numbers in JavaScript have 53 bits.
    id: u64,
    size: usize,
    cards: Option<[Card; 2]>,
    placed: [Option<[String; 2]>; 2],
    /// The board before the first turn, then after each one.
    boards: Vec<AnyPosition>,
    turns: Vec<String>,
    winner: Option<usize>,
    is_resigned: bool,
    /// The seat that asks to take back a turn.
    asks_back: Option<usize>,
}

impl SharedGame {
    /// Creates a game without workers.
    ///
    /// # Errors
    /// If there is no such game.
    pub(super) fn new(size: usize, cards: Option<[Card; 2]>) -> Result<Self, String> {
        check_size(size)?;
        cards_or_none(cards)?;
        Ok(Self {
            id: fresh_seed() >> 11,
            size,
            cards,
            placed: [None, None],
            boards: Vec::new(),
            turns: Vec::new(),
            winner: None,
            is_resigned: false,
            asks_back: None,
        })
    }

    /// Whether a player has won.
    pub(super) const fn is_over(&self) -> bool {
        self.winner.is_some()
    }

    /// Whether both players have placed their workers.
    pub(super) const fn has_begun(&self) -> bool {
        !self.boards.is_empty()
    }

    /// Does what the player of a seat asks for.
    ///
    /// # Errors
    /// Why it cannot be done. The game is unchanged then.
    pub(super) fn act(&mut self, seat: usize, action: LiveAction) -> Result<(), String> {
        if self.is_over() {
            return Err("the game is over".into());
        }
        match action {
            LiveAction::Place { squares } => self.place(seat, &squares),
            LiveAction::Turn { number, turn } => self.turn(seat, number, &turn),
            LiveAction::Resign {} => {
                self.winner = Some(1 - seat);
                self.is_resigned = true;
                self.asks_back = None;
                Ok(())
            }
            LiveAction::AskBack {} => {
                self.turns_back(seat)?;
                self.asks_back = Some(seat);
                Ok(())
            }
            LiveAction::AnswerBack { yes } => self.answer_back(seat, yes),
        }
    }

    fn place(&mut self, seat: usize, squares: &[String; 2]) -> Result<(), String> {
        match &self.placed {
            [None, _] if seat == 1 => return Err("the first player places first".into()),
            placed if placed[seat].is_some() => {
                return Err("your workers are already placed".into());
            }
            _ => {}
        }
        match self.size {
            5 => self.place_at::<5>(seat, squares),
            _ => self.place_at::<6>(seat, squares),
        }
    }

    fn place_at<const N: usize>(&mut self, seat: usize, squares: &[String; 2]) -> Result<(), String>
    where
        AnyPosition: From<Position<N>>,
    {
        let own = placement::<N>(squares)?;
        if let Some(first) = &self.placed[0] {
            let first = placement::<N>(first)?;
            if own.iter().any(|square| first.contains(square)) {
                return Err("two workers cannot share a space".into());
            }
            let start = Position::<N>::start([first, own], cards_or_none(self.cards)?);
            let start = start.map_err(|error| error.to_string())?;
            self.boards = vec![start.into()];
        }
        self.placed[seat] = Some(names::<N>(own));
        Ok(())
    }

    /// The seat to move.
    fn mover(&self) -> usize {
        self.turns.len() % 2
    }

    fn turn(&mut self, seat: usize, number: usize, turn: &str) -> Result<(), String> {
        let Some(board) = self.boards.last() else {
            return Err("the workers are not placed yet".into());
        };
        if number != self.turns.len() {
            let played = self.turns.len();
            return Err(format!(
                "this is for the board after {number} turns; {played} are played"
            ));
        }
        if seat != self.mover() {
            return Err("it is the other player's turn".into());
        }
        let (text, after, winner) = at_size!(board, board => {
            let scene = scene_after(board, Some(turn))?;
            let text = scene.turn_text().ok_or("no turn led to this board")?;
            (text, AnyPosition::from(*scene.position()), scene.winner())
        });
        self.turns.push(text);
        self.boards.push(after);
        self.winner = winner.map(|seat| seat as usize);
        self.asks_back = None;
        Ok(())
    }

    /// How many turns to take back so that a player can play its last one again.
    fn turns_back(&self, seat: usize) -> Result<usize, String> {
        let turns = if seat == self.mover() { 2 } else { 1 };
        if self.turns.len() < turns {
            return Err("you have not played a turn that could be taken back".into());
        }
        Ok(turns)
    }

    fn answer_back(&mut self, seat: usize, yes: bool) -> Result<(), String> {
        let asking = 1 - seat;
        if self.asks_back != Some(asking) {
            return Err("there is no request to take back a turn".into());
        }
        if yes {
            let left = self.turns.len() - self.turns_back(asking)?;
            self.turns.truncate(left);
            self.boards.truncate(left + 1);
        }
        self.asks_back = None;
        Ok(())
    }

    fn start(&self) -> Option<String> {
        let start = self.boards.first()?;
        Some(at_size!(start, start => start.to_string()))
    }

    /// The game as pages get it.
    pub(super) fn view(&self) -> Value {
        json!({
            "id": self.id, "size": self.size, "cards": self.cards, "placed": self.placed,
            "start": self.start(), "turns": self.turns,
            "winner": self.winner, "resigned": self.is_resigned, "asksBack": self.asks_back,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::view::parse_position;

    fn squares(a: &str, b: &str) -> LiveAction {
        LiveAction::Place {
            squares: [a.into(), b.into()],
        }
    }

    fn turn(number: usize, turn: &str) -> LiveAction {
        LiveAction::Turn {
            number,
            turn: turn.into(),
        }
    }

    /// A game after two turns.
    fn begun() -> SharedGame {
        let mut game = SharedGame::new(5, None).unwrap();
        game.act(0, squares("b2", "d4")).unwrap();
        game.act(1, squares("b4", "d2")).unwrap();
        game.act(0, turn(0, "b2-b3+b2")).unwrap();
        game.act(1, turn(1, "D2-c2 + b1")).unwrap();
        game
    }

    fn refused(game: &mut SharedGame, seat: usize, action: LiveAction, words: &str) {
        let before = game.view();
        let error = game.act(seat, action).unwrap_err();
        assert!(error.contains(words), "{error}");
        assert_eq!(game.view(), before);
    }

    #[test]
    fn workers_are_placed_in_order_on_free_spaces() {
        let mut game = SharedGame::new(5, None).unwrap();
        refused(&mut game, 1, squares("a1", "a2"), "first player places");
        refused(&mut game, 0, turn(0, "b2-b3+b2"), "not placed yet");
        refused(&mut game, 0, squares("a1", "f1"), "not a space");
        refused(&mut game, 0, squares("a1", "a1"), "cannot share");
        game.act(0, squares("a1", "a2")).unwrap();
        refused(&mut game, 0, squares("b1", "b2"), "already placed");
        refused(&mut game, 1, squares("a2", "b2"), "cannot share");
        game.act(1, squares("b1", "b2")).unwrap();
        refused(&mut game, 1, squares("c1", "c2"), "already placed");
        assert_eq!(
            game.view()["start"],
            "00000/00000/00000/00000/00000 a1a2 b1b2 0"
        );
        assert!(SharedGame::new(7, None).is_err());
        assert!(SharedGame::new(5, Some([Card::Pan, Card::Pan])).is_err());
        let mut game = SharedGame::new(6, Some([Card::Pan, Card::Atlas])).unwrap();
        game.act(0, squares("a1", "f6")).unwrap();
        game.act(1, squares("b1", "b2")).unwrap();
        let start = game.view()["start"].to_string();
        assert!(start.ends_with("a1f6 b1b2 0 Pan Atlas\""), "{start}");
    }

    #[test]
    fn only_legal_turns_of_the_mover_are_played_once() {
        let mut game = begun();
        assert_eq!(game.view()["turns"], json!(["b2-b3+b2", "d2-c2+b1"]));
        refused(&mut game, 1, turn(2, "b4-a4+a3"), "other player's turn");
        refused(&mut game, 0, turn(1, "b2-b3+b2"), "2 are played");
        refused(&mut game, 0, turn(2, "b3-b5+b4"), "not legal");
        game.act(0, turn(2, "b3-b2+b3")).unwrap();
        refused(&mut game, 0, turn(2, "b3-b2+b3"), "3 are played");
    }

    #[test]
    fn a_turn_is_taken_back_only_if_both_agree() {
        let mut game = begun();
        refused(
            &mut game,
            0,
            LiveAction::AnswerBack { yes: true },
            "no request",
        );
        game.act(1, LiveAction::AskBack {}).unwrap();
        refused(
            &mut game,
            1,
            LiveAction::AnswerBack { yes: true },
            "no request",
        );
        game.act(0, LiveAction::AnswerBack { yes: false }).unwrap();
        assert_eq!(game.view()["turns"].as_array().unwrap().len(), 2);
        refused(
            &mut game,
            0,
            LiveAction::AnswerBack { yes: true },
            "no request",
        );
        // The mover takes back the answer too.
        game.act(0, LiveAction::AskBack {}).unwrap();
        game.act(1, LiveAction::AnswerBack { yes: true }).unwrap();
        assert_eq!(game.view()["turns"], json!([]));
        refused(&mut game, 0, LiveAction::AskBack {}, "not played a turn");
        game.act(0, turn(0, "b2-c2+b2")).unwrap();
        refused(&mut game, 1, LiveAction::AskBack {}, "not played a turn");
        // A turn is an answer as well.
        game.act(0, LiveAction::AskBack {}).unwrap();
        game.act(1, turn(1, "b4-a4+a3")).unwrap();
        refused(
            &mut game,
            1,
            LiveAction::AnswerBack { yes: true },
            "no request",
        );
    }

    #[test]
    fn a_game_ends_with_a_win_or_a_resignation() {
        let mut game = begun();
        game.act(0, LiveAction::AskBack {}).unwrap();
        game.act(1, LiveAction::Resign {}).unwrap();
        let view = game.view();
        assert_eq!(
            (&view["winner"], &view["resigned"]),
            (&json!(0), &json!(true))
        );
        assert_eq!(view["asksBack"], json!(null));
        refused(&mut game, 0, turn(2, "b3-b2+b3"), "over");
        let mut game = begun();
        let text = "00000/00000/00230/00000/00001 c3a1 e5a5 2";
        *game.boards.last_mut().unwrap() = parse_position(text).unwrap();
        game.act(0, turn(2, "c3-d3#")).unwrap();
        assert_eq!(game.view()["winner"], json!(0));
        refused(&mut game, 1, LiveAction::AskBack {}, "over");
    }
}
