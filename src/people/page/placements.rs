//! The placement table, for people: the chance of each placement.

use serde_json::{Value, json};

use super::opponents::{names, placement};
use crate::openings::{PairGames, PlacementGames};
use crate::review::{chance, rounded};
use crate::rules::{Bitboard, Placement, Position, Square, Symmetry};
use crate::search::placement::{PlacementBook, Reply};

/// The size of the board of the table.
const N: usize = 5;

/// The placements of the first player, or the best replies to `first`, the best first. Each
/// has the chance of the player that places, and if there is self-play from it, the number
/// of `games` and how many that player `won`. The first player's come with the best `reply`.
///
/// # Errors
/// If `first` is not a placement.
pub(super) fn placements(first: Option<&[String; 2]>) -> Result<Value, String> {
    let list = match placement::<N>(first)? {
        None => first_placements(),
        Some(first) => replies(first),
    };
    Ok(json!({ "placements": list }))
}

fn first_placements() -> Vec<Value> {
    let best_replies = every_placement().filter_map(|first| {
        let reply = *PlacementBook::built_in().replies(first)?.first()?;
        Some((first, reply))
    });
    let mut best_replies: Vec<(Placement, Reply)> = best_replies.collect();
    best_replies.sort_by_key(|(_, reply)| -reply.score);
    let shown = best_replies.into_iter().map(|(first, reply)| {
        let mut shown = json!({
            "squares": names::<N>(first),
            "chance": rounded(chance_of_first(first, reply)),
            "reply": names::<N>(reply.placement),
        });
        add_games(&mut shown, [first, reply.placement], |pair| pair.won);
        shown
    });
    shown.collect()
}

/// The replies of the table, and those that are as good by symmetry.
fn replies(first: Placement) -> Vec<Value> {
    let mut seen = Vec::new();
    let mut list = Vec::new();
    for reply in PlacementBook::built_in().replies(first).unwrap_or_default() {
        for symmetry in Symmetry::all().filter(|it| it.set::<N>(set(first)) == set(first)) {
            let placement = reply.placement.map(|square| symmetry.square::<N>(square));
            if seen.contains(&set(placement)) {
                continue;
            }
            seen.push(set(placement));
            let chance = 1.0 - chance_of_first(first, Reply { placement, ..reply });
            let mut shown = json!({ "squares": names::<N>(placement), "chance": rounded(chance) });
            add_games(&mut shown, [first, placement], |pair| pair.games - pair.won);
            list.push(shown);
        }
    }
    list
}

/// Adds the record of self-play from these placements, if there is any. `won` picks the wins
/// of the player that places.
fn add_games(shown: &mut Value, placements: [Placement; 2], won: fn(&PairGames) -> u64) {
    let pair = PlacementGames::built_in().of(placements);
    if let Some(pair) = pair.filter(|pair| pair.games > 0) {
        shown["won"] = won(pair).into();
        shown["games"] = pair.games.into();
    }
}

/// The first player's chance after both placements.
fn chance_of_first(first: Placement, reply: Reply) -> f64 {
    let start = Position::<N>::start([first, reply.placement], [None, None]);
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

    fn listed(first: Option<[&str; 2]>) -> Vec<Value> {
        let first = first.map(|names| names.map(str::to_string));
        let answer = placements(first.as_ref()).unwrap();
        answer["placements"].as_array().unwrap().clone()
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
            let error = placements(Some(&first.map(str::to_string))).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
    }
}
