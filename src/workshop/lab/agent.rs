//! The [`Agent`] trait: places workers and plays turns.

use crate::rules::{Bitboard, Geometry, Placement, Position, Turn};
use crate::seeds::SeededRng;

/// A board of the base game on 5x5 spaces, as in the study.
pub type Board = Position<5>;

/// The random number generator of the laboratory.
pub type Rng = SeededRng;

/// A player of the laboratory, created for one game.
///
/// Its answers depend only on its seed and the calls so far, unless it plays by
/// the clock. An agent without an answer, such as a program that crashed, ends the
/// match with a [`Fault`].
///
/// # Examples
///
/// An agent that climbs as high as it can. It beats an agent that plays at random:
///
/// ```
/// use rand::SeedableRng;
/// use santorini::lab::factory::Factory;
/// use santorini::lab::games::Match;
/// use santorini::lab::spec::AgentSpec;
/// use santorini::lab::{Agent, Board, Fault, Random, Rng};
/// use santorini::openings::Openings;
/// use santorini::rules::{Placement, Turn};
///
/// struct Climber {
///     random: Random,
/// }
///
/// impl Agent for Climber {
///     fn place(&mut self, first: Option<Placement>) -> Result<Placement, Fault> {
///         self.random.place(first)
///     }
///
///     fn turn(&mut self, board: &Board) -> Result<Turn, Fault> {
///         let turns = board.turns();
///         let highest = turns.into_iter().max_by_key(|turn| board.level(turn.to()));
///         Ok(highest.expect("the board has a turn"))
///     }
/// }
///
/// let climber = Factory::of_agent("climber", |seed| {
///     let rng = Rng::seed_from_u64(seed);
///     Box::new(Climber { random: Random { rng } })
/// });
/// let random = Factory::new(&AgentSpec::Random, 0, &mut |_, _| {})?;
/// let games = Match { players: [climber, random], seed: 1, swap: true, openings: Openings::SetUp };
/// let won = (0..20).filter(|&game| games.play(game).unwrap().winner() == 0).count();
/// assert!(won > 15, "{won} of 20");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Agent {
    /// Places both workers. `first` is the opponent's placement, if it has placed.
    ///
    /// # Errors
    /// If the agent has no answer.
    fn place(&mut self, first: Option<Placement>) -> Result<Placement, Fault>;

    /// Chooses a turn on a board that has one.
    ///
    /// # Errors
    /// If the agent has no answer.
    fn turn(&mut self, board: &Board) -> Result<Turn, Fault>;
}

/// Why an agent gave no legal answer. Its game does not count.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Fault(pub String);

/// All placements on the spaces that `first` leaves free: 300 for the first
/// player, 253 for the second.
pub fn placements(first: Option<Placement>) -> Vec<Placement> {
    let taken: Bitboard = first.into_iter().flatten().collect();
    let free = Geometry::<5>::BOARD.without(taken);
    let pairs = free.flat_map(|a| (free & !Bitboard::below(a)).skip(1).map(move |b| [a, b]));
    pairs.collect()
}

/// The fault of a search or a game that was stopped.
pub(super) fn stopped() -> Fault {
    Fault("stopped before there was an answer".into())
}

/// The board after both placements.
pub fn start(first: Placement, second: Placement) -> Board {
    Board::start([first, second], [None, None]).expect("agents place their workers on free spaces")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_300_and_253_placements() {
        let firsts = placements(None);
        assert_eq!(firsts.len(), 300);
        let seconds = placements(Some(firsts[17]));
        assert_eq!(seconds.len(), 253);
        for second in seconds {
            start(firsts[17], second);
        }
    }
}
