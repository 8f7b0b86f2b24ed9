//! Parses the server's lines for a bot.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::Value;

use crate::protocol::tcp::{SIZE, Status};
use crate::rules::{Position, Square};

/// A line of the server.
#[derive(Debug, Clone, PartialEq)]
pub enum ServerMessage {
    /// A remark for people.
    Remark(String),
    /// A state of a game that this bot plays.
    State(SeenState),
}

/// A state, from the view of one of its two bots.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenState {
    /// What the server waits for.
    pub status: Status,
    /// Whether the state names this bot: it is to answer or, at the end, has won.
    pub named: bool,
    /// The levels, 0 to 4, by row and column.
    pub floors: [[u8; SIZE]; SIZE],
    /// The own workers, in the order of their numbers.
    pub own: Vec<Square>,
    /// The opponent's workers, in the order of their numbers.
    pub others: Vec<Square>,
}

/// Why a line is not a valid message.
#[derive(Debug, thiserror::Error)]
pub enum MessageError {
    /// The line cannot be parsed.
    #[error("the server sent invalid JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The state lacks this part, or has it in another form.
    #[error("the server sent a state without {0}")]
    Shape(&'static str),
    /// Neither player in the state is this bot.
    #[error("the server sent a state of a game between two other bots")]
    NotOurs,
}

impl ServerMessage {
    /// Parses a line for the bot of the given name.
    ///
    /// # Errors
    /// If it is neither a JSON string nor a state of a game of this bot.
    pub fn read(line: &str, name: &str) -> Result<Self, MessageError> {
        match serde_json::from_str(line)? {
            Value::String(remark) => Ok(Self::Remark(remark)),
            state => Ok(Self::State(SeenState::read(&state, name)?)),
        }
    }
}

impl SeenState {
    fn read(state: &Value, name: &str) -> Result<Self, MessageError> {
        let shape = MessageError::Shape;
        let text = |index: usize| state[index].as_str();
        let status = text(0).and_then(Status::from_word);
        let status = status.ok_or(shape("a status"))?;
        let bots = [&state[3], &state[4]];
        if !bots.iter().all(|bot| bot[0].is_string()) {
            return Err(shape("two names"));
        }
        let own = bots.iter().position(|bot| bot[0] == name);
        let own = own.ok_or(MessageError::NotOurs)?;
        let workers = |bot: usize| read_workers(&bots[bot][1]).ok_or(shape("workers"));
        let (own, others) = (workers(own)?, workers(1 - own)?);
        let mut seen = HashSet::new();
        if !own.iter().chain(&others).all(|square| seen.insert(*square)) {
            return Err(shape("workers on different spaces"));
        }
        Ok(Self {
            status,
            named: text(1).ok_or(shape("a turn"))? == name,
            floors: read_floors(&state[2]).ok_or(shape("6x6 floors from 0 to 4"))?,
            own,
            others,
        })
    }

    /// The position with this bot to move.
    ///
    /// # Errors
    /// If the state is impossible in a game.
    pub fn position(&self) -> Result<Position<SIZE>, MessageError> {
        let (&[a, b], &[c, d]) = (self.own.as_slice(), self.others.as_slice()) else {
            return Err(MessageError::Shape("two workers each"));
        };
        Position::new(&self.floors, [[a, b], [c, d]], [None, None], 0)
            .map_err(|_| MessageError::Shape("a possible position"))
    }
}

fn read_floors(value: &Value) -> Option<[[u8; SIZE]; SIZE]> {
    let floors = <[[u8; SIZE]; SIZE]>::deserialize(value).ok()?;
    let are_levels = floors.as_flattened().iter().all(|&floor| floor <= 4);
    are_levels.then_some(floors)
}

fn read_workers(value: &Value) -> Option<Vec<Square>> {
    let numbers = Vec::<usize>::deserialize(value).ok()?;
    let (pairs, []) = numbers.as_chunks::<2>() else {
        return None;
    };
    let are_workers = pairs.len() <= 2 && numbers.iter().all(|&number| number < SIZE);
    are_workers.then(|| {
        pairs
            .iter()
            .map(|&[x, y]| Square::at::<SIZE>(y, x))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::tcp::{Answer, State};
    use crate::server::Game;

    #[test]
    fn messages_of_the_server_are_parsed() {
        let mut game = Game::new();
        for answer in ["1 2", "3 4", "5 0"] {
            let answer = Answer::parse(game.status(), answer.as_bytes()).unwrap();
            game.answer(game.to_answer().unwrap(), answer).unwrap();
        }
        let state: State<'_> = game.state(["a", "b"]);
        let ServerMessage::State(seen) = ServerMessage::read(&state.line(), "b").unwrap() else {
            panic!("a state is no remark");
        };
        assert!(seen.named);
        assert_eq!(seen.status, Status::PlaceWorker);
        assert_eq!(seen.own, [Square::at::<SIZE>(4, 3)]);
        assert_eq!(
            seen.others,
            [Square::at::<SIZE>(2, 1), Square::at::<SIZE>(0, 5)]
        );
        assert!(seen.position().is_err());
        let remark = ServerMessage::read("\"try again: why\"\n", "b").unwrap();
        assert_eq!(remark, ServerMessage::Remark("try again: why".into()));
    }

    #[test]
    fn invalid_messages_are_errors() {
        let line = Game::new().state(["a", "b"]).line();
        assert!(matches!(
            ServerMessage::read(&line, "c"),
            Err(MessageError::NotOurs)
        ));
        for bad in [
            "",
            "nonsense",
            &line.replace("placeWorker", "dance"),
            &line.replace("0,0]", "0]"),
            &line.replace("[0,", "[5,"),
            &line.replace("[]", "[1]"),
            &line.replace("[]", "[6,0]"),
            &line.replace("[]", "[1,1]"),
            &line.replacen("[]", "[1,1,1,1]", 1),
        ] {
            assert!(ServerMessage::read(bad, "a").is_err(), "{bad}");
        }
        for (bad, lacks) in [
            ("{}", "a status"),
            ("[]", "a status"),
            ("[\"build\"]", "two names"),
            ("[\"build\",\"a\",[],[1],[2]]", "two names"),
        ] {
            let error = ServerMessage::read(bad, "a").unwrap_err().to_string();
            assert_eq!(error, format!("the server sent a state without {lacks}"));
        }
    }
}
