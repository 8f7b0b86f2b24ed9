//! Positions in the form that pages get.

use serde_json::{Value, json};

use crate::at_size;
use crate::draw::{Scene, Seat};
use crate::protocol::exchange::write_board;
use crate::rules::{AnyPosition, Card, Position, PositionTextError, Turn};

/// Parses a position from its one-line text.
///
/// # Errors
/// What is wrong with it.
pub(super) fn parse_position(text: &str) -> Result<AnyPosition, String> {
    text.parse()
        .map_err(|error: PositionTextError| error.to_string())
}

/// The view of a position, or of the one after a turn.
///
/// # Errors
/// If the turn is not legal.
pub(super) fn look(position: &AnyPosition, turn: Option<&str>) -> Result<Value, String> {
    at_size!(position, position => scene_after(position, turn).map(|scene| view(&scene)))
}

/// The scene of a position, or of the one after a turn in notation.
///
/// # Errors
/// If the turn is not legal.
pub(super) fn scene_after<const N: usize>(
    position: &Position<N>,
    turn: Option<&str>,
) -> Result<Scene<N>, String> {
    let scene = Scene::new(position);
    match turn {
        None => Ok(scene),
        Some(_) if scene.winner().is_some() => Err("the game is over".into()),
        Some(text) => Ok(scene.followed_by(legal(position, text)?)),
    }
}

/// Parses a legal turn in any spelling.
///
/// # Errors
/// If the turn is not legal.
pub(super) fn legal<const N: usize>(position: &Position<N>, text: &str) -> Result<Turn, String> {
    position.read_turn(text).map_err(|error| error.to_string())
}

/// Everything that the page shows of a board, and the legal turns.
pub(super) fn view<const N: usize>(scene: &Scene<N>) -> Value {
    let position = scene.position();
    let turns: Vec<String> = match scene.winner() {
        Some(_) => Vec::new(),
        None => (position.turns().iter())
            .map(|turn| turn.text::<N>().to_string())
            .collect(),
    };
    let mut view = node(scene);
    view["board"] = write_board(position);
    view["turns"] = json!(turns);
    view["stuck"] = json!(scene.is_stuck());
    view
}

/// The fields of a view that every board of an opened game has.
pub(super) fn node<const N: usize>(scene: &Scene<N>) -> Value {
    json!({
        "position": scene.position().to_string(),
        "scene": scene.script(),
        "cards": cards(scene),
        "winner": scene.winner().map(|seat| seat as u8),
    })
}

/// The players' cards, the first player's first; `None` without cards.
fn cards<const N: usize>(scene: &Scene<N>) -> Option<(Card, Card)> {
    let [first, second] = Seat::BOTH.map(|seat| scene.card(seat));
    first.zip(second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::written::read_written_board;

    const BOARD: &str = "00002/11200/10030/00300/00014 c2d4 e2e3 18";

    #[test]
    fn a_view_reads_back_as_text_and_as_json() {
        let view = look(&parse_position(BOARD).unwrap(), None).unwrap();
        assert_eq!(view["position"], BOARD);
        let pasted = read_written_board(&format!(" {}\n", view["board"])).unwrap();
        assert_eq!(look(&pasted, None).unwrap(), view);
        let six = "000000/000000/000000/000000/000000/000000 a1f6 b2e5 0 Pan Atlas";
        let view = look(&read_written_board(six).unwrap(), None).unwrap();
        assert_eq!(view["cards"], json!(["Pan", "Atlas"]));
        assert_eq!(view["scene"]["levels"].as_array().unwrap().len(), 6);
    }

    #[test]
    fn a_view_lists_the_legal_turns() {
        let board = parse_position(BOARD).unwrap();
        let view = look(&board, None).unwrap();
        let turns = view["turns"].as_array().unwrap();
        assert!(turns.contains(&json!("c2-d3#")) && view["winner"].is_null());
        for turn in turns {
            assert!(look(&board, turn.as_str()).is_ok(), "{turn}");
        }
        let won = look(&board, Some("c2-d3#")).unwrap();
        assert_eq!((&won["winner"], &won["turns"]), (&json!(0), &json!([])));
        assert_eq!(won["stuck"], false);
        // An error does not repeat a long turn.
        let won = parse_position(won["position"].as_str().unwrap()).unwrap();
        let error = look(&won, Some(&"x".repeat(100_000))).unwrap_err();
        assert_eq!(error, "the game is over");
        // The mover is walled in; the other worker on e1 stands on level 3, or on the
        // ground.
        for (level, stuck) in [(3, false), (0, true)] {
            let text = format!("0400{level}/04000/44000/00000/00000 a1a2 e1e3 18");
            let view = look(&parse_position(&text).unwrap(), None).unwrap();
            assert_eq!((&view["winner"], &view["turns"]), (&json!(1), &json!([])));
            assert_eq!(view["stuck"], stuck, "{text}");
        }
        assert!(
            look(&board, Some("d4-c4+b4"))
                .unwrap_err()
                .contains("not legal")
        );
    }
}
