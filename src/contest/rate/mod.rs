//! The rating of a program by games against opponents of known strength.
//!
//! | to see or change | look at |
//! |---|---|
//! | the opponents, their ratings, how those were measured | `ladder.rs` |
//! | the settings of the games, the commands of the opponents | `opponents.rs` |
//! | which opponent is played next, when there are enough games | `chooser.rs` |
//! | what the games came to | `rating.rs` |
//! | the turn by which a lost game was lost | `lost.rs` |
//! | what they mean, in sentences | `summary.rs` |
//! | the page | `page.rs`, `page.css`, `page.js` |

mod chooser;
mod ladder;
mod lost;
mod opponents;
mod page;
mod rating;
mod summary;

pub use chooser::{Chooser, Enough};
pub use ladder::{LADDER, LADDER_MEASURED_WITH, LadderRung, ladder_pairs, measured};
pub use lost::{LostGame, lost_games};
pub use opponents::{GRACE, check_placement, opponents, played_opponents, rating_settings};
pub use page::{RATING_PAGE, page};
pub use rating::{Against, ProgramRating};
pub use summary::RatingWords;
