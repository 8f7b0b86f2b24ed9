//! Where the games of a match start.

use super::Args;
use crate::cli::CliError;
use crate::cli::openings::{EVEN, book_boards, even_card_book};
use crate::eval::network::features::FeatureSet;
use crate::openings::balanced::{RandomStart, Start};
use crate::openings::digest_of;

/// The kinds of input of the network in games that start there.
pub(super) fn features_of<const N: usize>(start: &Start<N>) -> Vec<FeatureSet> {
    match start {
        Start::Random(random) if random.cards => vec![FeatureSet::Cards],
        Start::Random(_) => vec![FeatureSet::Base],
        Start::Boards(boards) => boards.iter().map(FeatureSet::of).collect(),
    }
}

/// Where games on 5x5 boards start.
pub(super) fn start(args: &Args) -> Result<Start<5>, CliError> {
    let name = match &args.openings {
        Some(name) if args.cards && name == EVEN => {
            return Ok(Start::Boards(even_card_book(args.seed)?.boards()));
        }
        Some(name) if args.cards => {
            return Err(CliError::Usage(format!(
                "--cards --openings {name}: the boards of a file have their own cards; leave out \
                 --cards"
            )));
        }
        Some(name) => name,
        None if args.cards || args.random_turns.is_some() => return Ok(random_start(args)),
        None => EVEN,
    };
    Ok(Start::Boards(book_boards(name, args.seed)?))
}

/// Random boards to start from.
pub(super) fn random_start<const N: usize>(args: &Args) -> Start<N> {
    Start::Random(RandomStart {
        cards: args.cards,
        turns: args.random_turns.unwrap_or(0),
        margin: (args.margin() * 100.0).round() as i32,
    })
}

/// The start of the games as text. It must be the same in all shares of a match, so it
/// has a digest of the boards of a book besides its name.
pub(super) fn start_text<const N: usize>(args: &Args, start: &Start<N>) -> String {
    let cards = if args.cards { " with cards" } else { "" };
    match start {
        Start::Boards(boards) => format!(
            "{}{cards}, {} boards, digest {}",
            args.openings.as_deref().unwrap_or(EVEN),
            boards.len(),
            digest_of(boards)
        ),
        Start::Random(random) => format!(
            "{} random turns{cards}, margin {}",
            random.turns,
            args.margin()
        ),
    }
}
