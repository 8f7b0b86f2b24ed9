//! An agent as a player program: answers set-up arrays and boards in JSON.

use std::error::Error;
use std::io::{self, Read, Write};

use super::agent::{Agent, Board};
use crate::protocol::exchange::{read_board, read_setup, write_board, write_setup};
use crate::protocol::stream::ValueReader;
use crate::rules::Setup;

use serde_json::Value;

/// Answers each value of the input on its own line until the input ends. A value
/// without an answer is skipped and reported to `complain`. Returns whether all
/// were answered.
///
/// # Errors
/// If the input cannot be read or an answer cannot be written.
pub fn serve(
    agent: &mut dyn Agent,
    input: impl Read,
    output: &mut impl Write,
    mut complain: impl FnMut(&str),
) -> io::Result<bool> {
    let mut values = ValueReader::new(input);
    let mut all = true;
    while let Some(value) = values.read()? {
        let answered = match value {
            Ok(question) => answer(agent, &question.value),
            Err(error) => Err(error.into()),
        };
        match answered {
            Ok(answer) => {
                writeln!(output, "{answer}")?;
                output.flush()?;
            }
            Err(error) => {
                all = false;
                complain(&error.to_string());
            }
        }
    }
    Ok(all)
}

/// The answer to a set-up array or a board of the base game.
fn answer(agent: &mut dyn Agent, question: &Value) -> Result<Value, Box<dyn Error>> {
    if question.is_array() {
        let setup = read_setup::<5>(question)?;
        let (cards, first) = match setup {
            Setup::First { cards } => (cards, None),
            Setup::Second { cards, first } => (cards, Some(first)),
        };
        if cards != [None, None] {
            return Err(NO_CARDS.into());
        }
        let own = agent.place(first)?;
        return Ok(write_setup::<5>(&setup, own));
    }
    let board: Board = read_board(question)?;
    if board.cards() != [None, None] {
        return Err(NO_CARDS.into());
    }
    if !board.has_turn() {
        return Err("this board has no legal turn".into());
    }
    let turn = agent.turn(&board)?;
    Ok(write_board(&board.play(turn)))
}

const NO_CARDS: &str = "agents of the laboratory play without cards";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Random;
    use crate::seeds::seeded;

    fn answers(input: &str) -> (String, Vec<String>) {
        let rng = seeded(1);
        let (mut output, mut complaints) = (Vec::new(), Vec::new());
        let complain = |text: &str| complaints.push(text.to_string());
        let all = serve(&mut Random { rng }, input.as_bytes(), &mut output, complain).unwrap();
        assert_eq!(all, complaints.is_empty());
        (String::from_utf8(output).unwrap(), complaints)
    }

    #[test]
    fn every_value_gets_its_own_line() {
        let board = "{\"players\":[[[2,3],[4,4]],[[2,5],[3,5]]],\"spaces\":[[0,0,0,0,2],\
            [1,1,2,0,0],[1,0,0,3,0],[0,0,3,0,0],[0,0,0,1,4]],\"turn\":18}";
        let (output, complaints) = answers(&format!("[]{board}\n[[[2,3],[4,3]]]"));
        assert_eq!(complaints, [] as [&str; 0]);
        let lines: Vec<Value> = output
            .lines()
            .map(|l| serde_json::from_str(l).unwrap())
            .collect();
        assert_eq!(lines[0].as_array().unwrap().len(), 1);
        assert_eq!(lines[1]["turn"], 19);
        assert_eq!(lines[2][0], serde_json::json!([[2, 3], [4, 3]]));
    }

    #[test]
    fn bad_values_are_reported_and_skipped() {
        let cards = "[{\"card\":\"Pan\"},{\"card\":\"Atlas\"}]";
        let (output, complaints) = answers(&format!("{cards} 7 [] nonsense\n[]"));
        assert_eq!(output.lines().count(), 2);
        assert_eq!(complaints.len(), 3, "{complaints:?}");
        assert_eq!(complaints[0], NO_CARDS);
    }
}
