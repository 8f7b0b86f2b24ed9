//! Replays the 282 recorded games of `data/card-games.jsonl`: every turn but one is legal.

use santorini::protocol::exchange::read_board;
use santorini::rules::Position;
use serde_json::Value;

#[test]
fn all_recorded_turns_but_one_are_legal() {
    let (mut games, mut legal, mut illegal) = (0, 0, Vec::new());
    for line in include_str!("data/card-games.jsonl").lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        let boards = game["boards"].as_array().unwrap();
        let boards: Vec<Position<5>> = boards.iter().map(|b| read_board(b).unwrap()).collect();
        games += 1;
        for pair in boards.windows(2) {
            match pair[0].turn_to(&pair[1]) {
                Some(turn) => {
                    assert_eq!(pair[0].play(turn), pair[1]);
                    legal += 1;
                }
                None => illegal.push((game["game"].as_str().unwrap().to_owned(), pair[0].turn())),
            }
        }
    }
    // In game 157 a player with Minotaur builds under the worker it has pushed.
    assert_eq!(illegal, [("157".to_owned(), 38)]);
    assert_eq!((games, legal), (282, 4_395));
}
