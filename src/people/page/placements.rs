//! The placement book for the page: the chance of each placement.

use serde_json::{Value, json};

use super::backend::cards_or_none;
use super::opponents::{names, placement};
use crate::openings::{PairGames, PlacementGames, placement_book};
use crate::review::{chance, rounded};
use crate::rules::{Bitboard, Card, Cards, Placement, Position, Square, Symmetry};
use crate::search::placement::{PlacementBook, Reply};

/// The size of the board of the book.
const N: usize = 5;

/// The placements of the first player, or the best replies to `first`, the highest chance
/// first. `cards` holds the first and the second player's card; in the base game it is `None`.
/// Each placement has the placing player's chance of winning and, if the engine played itself from
/// there, the number of `games` and how many of them that player `won`. First placements come
/// with the best `reply`.
///
/// # Errors
/// If `first` is not a placement, or both cards are the same.
pub(super) fn placements(
    cards: Option<[Card; 2]>,
    first: Option<&[String; 2]>,
) -> Result<Value, String> {
    let cards = cards_or_none(cards)?;
    let book = placement_book(cards).ok_or("there are no placements with these cards")?;
    let list = match first {
        None => first_placements(cards, book),
        Some(first) => replies(cards, book, placement::<N>(first)?),
    };
    Ok(json!({ "placements": list }))
}

fn first_placements(cards: Cards, book: &PlacementBook) -> Vec<Value> {
    let best_replies = every_placement().filter_map(|first| {
        let reply = *book.replies(first)?.first()?;
        Some((first, reply))
    });
    let mut best_replies: Vec<(Placement, Reply)> = best_replies.collect();
    best_replies.sort_by_key(|(_, reply)| -reply.score);
    let shown = best_replies.into_iter().map(|(first, reply)| {
        let mut shown = json!({
            "squares": names::<N>(first),
            "chance": rounded(chance_of_first(cards, first, reply)),
            "reply": names::<N>(reply.placement),
        });
        add_games(&mut shown, cards, [first, reply.placement], |pair| pair.won);
        shown
    });
    shown.collect()
}

/// The replies of the book and their symmetric equivalents.
fn replies(cards: Cards, book: &PlacementBook, first: Placement) -> Vec<Value> {
    let mut seen = Vec::new();
    let mut list = Vec::new();
    for reply in book.replies(first).unwrap_or_default() {
        for symmetry in Symmetry::all().filter(|it| it.set::<N>(set(first)) == set(first)) {
            let placement = reply.placement.map(|square| symmetry.square::<N>(square));
            if seen.contains(&set(placement)) {
                continue;
            }
            seen.push(set(placement));
            let chance = 1.0 - chance_of_first(cards, first, Reply { placement, ..reply });
            let mut shown = json!({ "squares": names::<N>(placement), "chance": rounded(chance) });
            add_games(&mut shown, cards, [first, placement], |pair| {
                pair.games - pair.won
            });
            list.push(shown);
        }
    }
    list
}

/// Adds the record of self-play from these placements, if there is any. `won` picks the wins
/// of the player that places.
fn add_games(
    shown: &mut Value,
    cards: Cards,
    placements: [Placement; 2],
    won: fn(&PairGames) -> u64,
) {
    let pair = PlacementGames::built_in(cards != [None, None]).of(cards, placements);
    if let Some(pair) = pair.filter(|pair| pair.games > 0) {
        shown["won"] = won(pair).into();
        shown["games"] = pair.games.into();
    }
}

/// The first player's chance after both placements.
fn chance_of_first(cards: Cards, first: Placement, reply: Reply) -> f64 {
    let start = Position::<N>::start([first, reply.placement], cards);
    chance(
        &start.expect("a reply leaves out the first placement"),
        reply.score,
    )
}

fn every_placement() -> impl Iterator<Item = Placement> {
    let squares = N * N;
    (0..squares).flat_map(move |a| (a + 1..squares).map(move |b| [a, b].map(Square::new)))
}

fn set(placement: Placement) -> Bitboard {
    placement.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::parse_square;

    fn listed_with(cards: Option<[Card; 2]>, first: Option<[&str; 2]>) -> Vec<Value> {
        let first = first.map(|names| names.map(str::to_string));
        let answer = placements(cards, first.as_ref()).unwrap();
        answer["placements"].as_array().unwrap().clone()
    }

    fn listed(first: Option<[&str; 2]>) -> Vec<Value> {
        listed_with(None, first)
    }

    fn chances(list: &[Value]) -> Vec<f64> {
        list.iter()
            .map(|it| it["chance"].as_f64().unwrap())
            .collect()
    }

    #[test]
    fn every_first_placement_has_a_chance_and_a_reply() {
        let list = listed(None);
        assert_eq!(list.len(), 300);
        assert!(chances(&list).is_sorted_by(|a, b| a >= b));
        let mut games = list
            .iter()
            .map(|it| (it["won"].as_u64(), it["games"].as_u64()));
        assert!(games.all(|(won, games)| won.is_some() && won <= games));
        // The player itself chooses the best one.
        let best = PlacementBook::built_in().first().unwrap();
        let best = set(best);
        let place = list.iter().position(|it| {
            let squares = it["squares"].as_array().unwrap().iter();
            let squares = squares.map(|name| parse_square::<N>(name.as_str().unwrap()).unwrap());
            squares.collect::<Bitboard>() == best
        });
        assert!(place.is_some_and(|place| place < 4), "{place:?}");
    }

    #[test]
    fn every_pair_of_cards_has_placements_and_games() {
        for pair in Card::pairs() {
            let cards = pair.map(Some);
            let entry = &placement_book(cards).unwrap().entries()[0];
            let start = [entry.first, entry.replies[0].placement];
            let games = PlacementGames::built_in(true).of(cards, start).unwrap();
            let list = listed_with(Some(pair), None);
            assert_eq!(list.len(), 300);
            // The best placement has games, and so have its symmetric equivalents.
            let played = list.iter().filter(|it| it["games"].is_u64());
            let played: Vec<_> = played.collect();
            assert!([1, 2, 4, 8].contains(&played.len()), "{pair:?}");
            assert!(played.iter().all(|it| it["won"] == games.won), "{pair:?}");
            let answer = placements(Some(pair), Some(&names::<N>(entry.first))).unwrap();
            let won = &answer["placements"][0]["won"];
            assert_eq!(*won, games.games - games.won, "{pair:?}");
        }
    }

    #[test]
    fn symmetric_replies_are_all_listed() {
        // Two workers in one column: each reply has its mirror image.
        let list = listed(Some(["c2", "c4"]));
        let pairs: Vec<_> = list.iter().map(|it| it["squares"].to_string()).collect();
        assert_eq!(pairs.len(), 9, "{pairs:?}");
        assert!(chances(&list).is_sorted_by(|a, b| a >= b));
        let reply = &list[0];
        let best = 1.0 - chances(&list)[0];
        let same = listed(None)
            .into_iter()
            .find(|it| it["squares"] == json!(["c2", "c4"]));
        let same = same.unwrap();
        let wins = reply["won"].as_u64().unwrap() + same["won"].as_u64().unwrap();
        assert_eq!(Some(wins), reply["games"].as_u64());
        let same = same["chance"].as_f64().unwrap();
        assert!((best - same).abs() < 2e-4, "{best} {same}");
    }

    #[test]
    fn impossible_placements_are_refused() {
        for (first, words) in [(["a1", "a1"], "share"), (["a1", "f6"], "not a space")] {
            let error = placements(None, Some(&first.map(str::to_string))).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
        let error = placements(Some([Card::Pan; 2]), None).unwrap_err();
        assert!(error.contains("both players have the card Pan"), "{error}");
    }
}
