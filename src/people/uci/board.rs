//! The board to search: empty, with the first player's workers, in play, or won.

use crate::at_size;
use crate::draw::{Scene, Style};
use crate::printable::excerpt;
use crate::rules::{
    AnyPosition, AnySize, Cards, Placement, Position, PositionTextError, Setup, Turn, parse_square,
    square_text,
};
use crate::verdict::{Typed, read_turn};

/// The state of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GameState<const N: usize> {
    /// A player is to place workers.
    Placing(Setup),
    Playing(Position<N>),
    /// The board after a winning turn. With cards, the board alone may not show the win.
    Won(Position<N>),
}

/// The state of a game on either board size.
pub(super) type AnyGameState = AnySize<GameState<5>, GameState<6>>;

impl AnyGameState {
    /// Parses the one-line text of a board.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn of_board(text: &str) -> Result<Self, String> {
        let position: AnyPosition =
            (text.parse()).map_err(|error: PositionTextError| format!("position: {error}"))?;
        Ok(match position {
            AnySize::Five(position) => Self::Five(GameState::Playing(position)),
            AnySize::Six(position) => Self::Six(GameState::Playing(position)),
        })
    }

    /// The state after these placements and turns.
    ///
    /// # Errors
    /// The first one that is not legal.
    pub fn played(self, moves: &[&str]) -> Result<Self, String> {
        Ok(match self {
            Self::Five(game) => Self::Five(game.played(moves)?),
            Self::Six(game) => Self::Six(game.played(moves)?),
        })
    }

    /// The board as text for people, in lines.
    pub fn drawn(&self) -> String {
        at_size!(self, game => game.drawn())
    }
}

impl<const N: usize> GameState<N> {
    /// The empty board. The cards are the first and second player's.
    pub const fn empty(cards: Cards) -> Self {
        Self::Placing(Setup::First { cards })
    }

    fn played(self, moves: &[&str]) -> Result<Self, String> {
        moves.iter().try_fold(self, |game, text| game.after(text))
    }

    /// The state after one placement or turn.
    fn after(self, text: &str) -> Result<Self, String> {
        let shown = excerpt(text, 40);
        match self {
            Self::Placing(setup) => {
                let wrong = || {
                    format!("position: {shown:?} is not a placement; a placement looks like b3d3")
                };
                let placed = placement::<N>(&text.to_ascii_lowercase()).ok_or_else(wrong)?;
                setup_after(setup, placed)
                    .ok_or_else(|| format!("position: {shown:?}: a space is taken by a worker"))
            }
            Self::Playing(position) => {
                let turn = turn(&position, text)
                    .map_err(|why| format!("position: {shown} on {position}: {why}"))?;
                let after = position.play(turn);
                Ok(if turn.wins() {
                    Self::Won(after)
                } else {
                    Self::Playing(after)
                })
            }
            Self::Won(position) => {
                Err(format!("position: {shown}: the game is over on {position}"))
            }
        }
    }

    fn drawn(&self) -> String {
        match self {
            Self::Placing(Setup::First { .. }) => format!("the empty board of {N}x{N} spaces\n"),
            Self::Placing(Setup::Second { first, .. }) => {
                let first = placement_text::<N>(*first);
                format!("the first player's workers stand on {first}\n")
            }
            Self::Playing(position) | Self::Won(position) => {
                format!("{}\n{position}\n", Scene::new(position).text(Style::Ascii))
            }
        }
    }
}

/// Parses a legal turn. With cards, a turn can have several spellings.
fn turn<const N: usize>(position: &Position<N>, text: &str) -> Result<Turn, String> {
    if position.shows_win() {
        return Err("the game is over".into());
    }
    match read_turn(position, text) {
        Typed::Turn(turn) => Ok(turn),
        Typed::Illegal(why) => Err(why),
        Typed::Beginning(_) => Err("an incomplete turn".into()),
        Typed::Nothing => Err("not a turn; a turn looks like c3-c4+b4".into()),
    }
}

/// The state after a placement; `None` if a space is taken.
fn setup_after<const N: usize>(setup: Setup, placed: Placement) -> Option<GameState<N>> {
    match setup {
        Setup::First {
            cards: [own, other],
        } => Some(GameState::Placing(Setup::Second {
            cards: [other, own],
            first: placed,
        })),
        Setup::Second {
            cards: [own, other],
            first,
        } => {
            let start = Position::start([first, placed], [other, own]);
            start.ok().map(GameState::Playing)
        }
    }
}

/// Parses two different spaces, such as `b3d3`.
fn placement<const N: usize>(text: &str) -> Option<Placement> {
    let (a, b) = text.split_at_checked(2)?;
    let placed = [parse_square::<N>(a)?, parse_square::<N>(b)?];
    (placed[0] != placed[1]).then_some(placed)
}

/// Formats two spaces, such as `b3d3`.
pub(super) fn placement_text<const N: usize>(placed: Placement) -> String {
    placed.map(square_text::<N>).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_and_turns_lead_to_a_board() {
        let game = AnyGameState::Five(GameState::empty([None, None]));
        let game = game.played(&["B3d3", "c2C4", "b3-b2+b1"]).unwrap();
        assert_eq!(
            game,
            AnyGameState::of_board("01000/00000/00000/00000/00000 c2c4 b2d3 1").unwrap()
        );
        assert!(
            game.drawn()
                .ends_with("01000/00000/00000/00000/00000 c2c4 b2d3 1\n")
        );
        let six = "000000/000000/000000/000000/000000/000000 a1b2 c3f6 0";
        assert!(matches!(
            AnyGameState::of_board(six),
            Ok(AnyGameState::Six(_))
        ));
    }

    #[test]
    fn cards_stay_with_their_players() {
        use crate::rules::Card::{Atlas, Pan};
        let game = GameState::<5>::empty([Some(Pan), Some(Atlas)]);
        let GameState::Playing(position) = game.played(&["b3d3", "c2c4"]).unwrap() else {
            panic!("both have placed");
        };
        assert_eq!(position.cards(), [Some(Pan), Some(Atlas)]);
    }

    #[test]
    fn any_spelling_of_a_turn_is_accepted() {
        let board = "00000/00000/00000/00000/00000 b3d3 c2c4 0 Demeter Pan";
        let played = |turn| AnyGameState::of_board(board).unwrap().played(&[turn]);
        assert_eq!(played("b3-b2+b1+a1"), played("b3-b2+a1+b1"));
        let why = played("b3-b2+b1+").unwrap_err();
        assert!(why.contains("b3-b2+b1+ on 00000"), "{why}");
        let why = played("b3-b5+b4").unwrap_err();
        assert!(why.contains("b3"), "{why}");
    }

    #[test]
    fn a_game_won_by_moving_down_is_over() {
        let game =
            AnyGameState::of_board("02000/00000/00000/00000/00000 b1d3 c3c4 4 Pan Atlas").unwrap();
        let won = game.played(&["b1-b2#"]).unwrap();
        assert!(matches!(won, AnyGameState::Five(GameState::Won(_))));
        let error = won.played(&["c3-c2+c1"]).unwrap_err();
        assert!(error.contains("the game is over"), "{error}");
    }
}
