//! Reviews of games: the chance of winning on every board, and a judgement of every turn.
//!
//! Every board of a game is searched. The first player's chance of winning is computed from
//! the score. A turn is judged by how much of the chance it lost compared with the best
//! turn.
//!
//! | to see or change | look at |
//! |---|---|
//! | the chance of winning at a score | `chance.rs` |
//! | the names of judgements and their thresholds | `judgement.rs` |
//! | reviewing a game | `game.rs` |
//! | the summary of a player's turns | `summary.rs` |
//! | the graph of the chance, as text | `graph.rs` |
//! | a review as text | `text.rs` |
//! | a review in JSON, for programs | `json.rs` |
//! | a review as a web page, or as part of another page | `page.rs`, `review.js`, `review.css` |

mod chance;
mod game;
mod graph;
mod json;
mod judgement;
mod page;
mod summary;
mod text;

pub use chance::{chance, win_share};
pub use game::{GameReview, ReviewedTurn, review};
pub use json::review_json;
pub(crate) use json::rounded;
pub use judgement::Judgement;
pub use page::{REVIEW_FILE, REVIEW_SCRIPT, REVIEW_STYLE, review_page, script_review};
pub use summary::Summary;
pub use text::review_text;
