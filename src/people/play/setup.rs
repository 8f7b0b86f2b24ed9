//! Setting up a new game: both players place their workers.

use super::advice;
use super::request::Request;
use super::session::{Session, SessionError};
use crate::draw::{Scene, Seat};
use crate::rules::{Cards, Placement, Position, parse_square, square_text};

const HOW: &str = "  b2 d4        place your workers on these spaces
  hint         show where the built-in player would place them
  rules        show the rules
  cards [NAME] explain the cards
  undo         take back your placement
  quit         leave (or Ctrl-D)";

/// The cards of a player and of the other one.
fn cards_of(seat: Seat, [first, second]: Cards) -> Cards {
    match seat {
        Seat::First => [first, second],
        Seat::Second => [second, first],
    }
}

/// The reply to a request to place workers.
enum Asked {
    Placed(Placement),
    /// Place the first player's workers again.
    Undo,
    Quit,
}

impl<const N: usize> Session<N> {
    /// Lets both players place their workers; `None` if the person quits.
    ///
    /// # Errors
    /// If reading or writing fails, or the opponent does not place its workers.
    pub(super) fn place_all(&mut self) -> Result<Option<Position<N>>, SessionError> {
        let mut workers = Vec::new();
        while let Some(&seat) = Seat::BOTH.get(workers.len()) {
            let first = workers.first().copied();
            let own = self.options.seat == seat;
            let asked = if own || !self.opponent.plays() {
                self.ask_to_place(seat, first)?
            } else {
                Asked::Placed(self.let_place(seat, first)?)
            };
            match asked {
                Asked::Placed(placed) => workers.push(placed),
                Asked::Undo => drop(workers.pop()),
                Asked::Quit => return Ok(None),
            }
        }
        let start = Position::start([workers[0], workers[1]], self.options.cards);
        // This cannot fail: the placements and cards were checked.
        start
            .map(Some)
            .map_err(|error| SessionError::Opponent(error.to_string()))
    }

    /// Asks the person to place a player's workers.
    fn ask_to_place(
        &mut self,
        seat: Seat,
        first: Option<Placement>,
    ) -> Result<Asked, SessionError> {
        let which = match seat {
            Seat::First => "first",
            Seat::Second => "second",
        };
        let cards = cards_of(seat, self.options.cards);
        let card = cards[0].map_or(String::new(), |card| format!(", who has {card}"));
        let scene = Scene::<N>::placing([first, None], self.options.cards);
        self.put(format!("\n{}", scene.text(self.options.style)).trim_end())?;
        self.say(&format!(
            "Place both workers of the {which} player{card}: two spaces, such as b2 d4."
        ))?;
        while let Some(line) = self.ask("place")? {
            match Request::read(&line) {
                Ok(Request::Quit) => return Ok(Asked::Quit),
                Ok(Request::Help) => self.put(HOW)?,
                Ok(Request::Rules) => self.explain(&advice::rules())?,
                Ok(Request::Cards(name)) => {
                    self.explain(&advice::cards(&scene, name.as_deref()))?;
                }
                Ok(Request::Hint) => {
                    let placed = self.advise_placement(cards, first)?;
                    self.say(&format!(
                        "the built-in player would place {}",
                        names::<N>(placed)
                    ))?;
                }
                Ok(Request::Undo) if first.is_some() && !self.opponent.plays() => {
                    return Ok(Asked::Undo);
                }
                Ok(Request::Undo) => self.say("you have no placement to take back")?,
                Ok(_) if line.trim().is_empty() => {}
                Ok(Request::Turn(text)) => match read_placement::<N>(&text, first) {
                    Ok(placed) => return Ok(Asked::Placed(placed)),
                    Err(why) => self.say(&why)?,
                },
                Ok(_) => self.say(&format!(
                    "{line:?} is not possible yet; type two spaces such as b2 d4, or help"
                ))?,
                Err(why) => self.say(&why)?,
            }
        }
        Ok(Asked::Quit)
    }

    /// Lets the opponent place its workers.
    fn let_place(
        &mut self,
        seat: Seat,
        first: Option<Placement>,
    ) -> Result<Placement, SessionError> {
        let cards = cards_of(seat, self.options.cards);
        let placed = self.opponent.place(cards, first, self.input.stop_flag());
        self.check_stopped()?;
        let name = self.opponent.name().to_string();
        match placed {
            Ok(Some(placed)) => {
                self.say(&format!(
                    "{name} places its workers on {}",
                    names::<N>(placed)
                ))?;
                Ok(placed)
            }
            Ok(None) => Err(SessionError::Opponent(format!(
                "{name} did not place its workers"
            ))),
            Err(fault) => Err(SessionError::Opponent(fault)),
        }
    }
}

/// Two squares as text.
fn names<const N: usize>(placed: Placement) -> String {
    let [a, b] = placed.map(square_text::<N>);
    format!("{a} and {b}")
}

/// Parses two different free squares.
fn read_placement<const N: usize>(
    line: &str,
    first: Option<Placement>,
) -> Result<Placement, String> {
    let text: String = line.chars().filter(char::is_ascii_alphanumeric).collect();
    let text = text.to_ascii_lowercase();
    let square = |part: Option<&str>| parse_square::<N>(part?);
    let (4, Some(a), Some(b)) = (text.len(), square(text.get(..2)), square(text.get(2..))) else {
        let last = char::from(b'a' + N as u8 - 1);
        return Err(format!(
            "{line:?} is not two spaces; type two spaces such as b2 d4 (columns a to {last}, rows \
             1 to {N})"
        ));
    };
    if a == b {
        return Err("the two workers cannot share a space".into());
    }
    match [a, b]
        .into_iter()
        .find(|square| first.is_some_and(|first| first.contains(square)))
    {
        Some(taken) => Err(format!("{} is taken by a worker", square_text::<N>(taken))),
        None => Ok([a, b]),
    }
}
