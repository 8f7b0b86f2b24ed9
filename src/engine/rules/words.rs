//! The rules of the game and of the cards in words, for beginners.

use serde_json::{Value, json};

use super::card::Card;

/// The rules of the game: headings and paragraphs.
pub const RULES: [[&str; 2]; 6] = [
    [
        "The aim",
        "Be the first to step up onto the third level of a tower.",
    ],
    [
        "To begin",
        "Both players place two workers, the first player first, on any free spaces.",
    ],
    [
        "A turn: move",
        "Choose one of your workers and move it to one of the eight spaces around it. \
         It may climb one level, go down as far as it likes, or stay at its height. It may \
         not enter a space where a worker stands or a tower with a dome.",
    ],
    [
        "Then: build",
        "The worker that has moved adds one level to one of the spaces around it that has no \
         worker and no dome. On level 3 the next build is a dome.",
    ],
    [
        "Winning",
        "Stepping up from level 2 to level 3 wins at once. If you cannot move and then build, \
         you lose.",
    ],
    [
        "A hint",
        "Look at what the other player can climb next. A dome on a third level stops a win.",
    ],
];

/// What a card allows its player, in words.
pub const fn card(card: Card) -> &'static str {
    match card {
        Card::Apollo => {
            "Your worker may move onto a neighbouring space with an opponent's worker that is at \
             most one level higher. The two swap places."
        }
        Card::Artemis => {
            "Your worker may move twice in a turn, but not back to the space where it began, and \
             not after a winning move."
        }
        Card::Atlas => "You may build a dome on a space of any level.",
        Card::Demeter => "You may build twice in a turn, on two different spaces.",
        Card::Hephastus => {
            "You may build two levels at once on the same space, if the second is not a dome."
        }
        Card::Minotaur => {
            "Your worker may move onto a neighbouring space with an opponent's worker that is at \
             most one level higher, and push that worker one space further in the same direction, \
             if that space is free and has no dome."
        }
        Card::Pan => "You also win if your worker steps down two levels or more.",
        Card::Prometheus => {
            "You may build before you move as well as after; then the move may not go up."
        }
    }
}

/// Every card with its rule.
pub fn cards() -> Value {
    let cards = Card::ALL.map(|this| json!({ "name": this, "rule": card(this) }));
    json!(cards)
}
