//! Scripts, styles and data for web pages that draw boards like the SVG pictures.

use serde_json::{Value, json};

use super::scene::{LastTurn, Scene, Seat};
use crate::rules::Square;

/// The text of a script for a page's `<script>`: it defines `santorini` with
/// the functions that the head of `board.js` explains, and is all a page
/// needs to draw a board or replay a game record.
///
/// ```html
/// <div id="game"></div>
/// <script>…BOARD_SCRIPT…
/// santorini.replay(document.getElementById("game"), record);</script>
/// ```
pub const BOARD_SCRIPT: &str = concat!(
    "const santoriniLook = String.raw`",
    include_str!("look.svg"),
    include_str!("towers.svg"),
    include_str!("flat.svg"),
    include_str!("marks.svg"),
    "`;\n",
    include_str!("board.js")
);

/// The text of a script for pages with many games, after [`BOARD_SCRIPT`]: a list of games,
/// with the chosen one beside it.
pub const GAMES_SCRIPT: &str = include_str!("games.js");

/// The style of [`GAMES_SCRIPT`].
pub const GAMES_STYLE: &str = include_str!("games.css");

impl<const N: usize> Scene<N> {
    /// The scene as data for `board.js`.
    pub fn script(&self) -> Value {
        let position = self.position();
        let workers = Seat::BOTH.map(|seat| places::<N>(position.workers(seat.side(position))));
        let over = self.winner().is_some();
        json!({
            "levels": position.levels().map(Vec::from).to_vec(),
            "workers": workers,
            "last": self.last().map(script_turn::<N>),
            "mover": (!over).then_some(Seat::to_move(position) as u8),
            "caption": self.headline(|seat| self.name(seat).to_string()),
            "turn": position.turn(),
            "played": self.turn_text(),
        })
    }
}

fn script_turn<const N: usize>(last: &LastTurn) -> Value {
    let displaced = last.displaced.map(|(from, to)| places::<N>([from, to]));
    json!({
        "path": places::<N>(last.path()),
        "built": places::<N>(last.built),
        "displaced": displaced,
    })
}

/// Squares as rows and columns from 0.
fn places<const N: usize>(squares: impl IntoIterator<Item = Square>) -> Vec<[usize; 2]> {
    let place = |square: Square| [square.row::<N>(), square.column::<N>()];
    squares.into_iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::{BOARD_SCRIPT, GAMES_SCRIPT};

    #[test]
    fn the_scripts_can_be_embedded_in_a_page() {
        assert!(!BOARD_SCRIPT.contains("</script") && !GAMES_SCRIPT.contains("</script"));
        let (look, _) = BOARD_SCRIPT.split_once("`;\n").unwrap();
        let (_, look) = look.split_once('`').unwrap();
        assert!(look.ends_with("</defs>\n"), "it holds all shapes");
        assert!(!look.contains("${"), "it stands in a template literal");
    }
}
