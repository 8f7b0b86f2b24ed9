//! Rates a program by games against opponents of known strength.
//!
//! | to see or change | look at |
//! |---|---|
//! | the list of opponents, their ratings, how they were measured | `ladder.rs` |
//! | the settings of the games, the commands of the opponents | `opponents.rs` |
//! | choosing the next opponent, and when to stop | `chooser.rs` |
//! | the rating computed from the games | `rating.rs` |
//! | the turn that lost a game | `lost.rs` |
//! | the rating in sentences | `summary.rs` |
//! | the page | `page.rs`, `page.css`, `page.js` |
//! | options and output of `santorini rate` | `src/cli/rate.rs` |
//!
//! | to add | change |
//! |---|---|
//! | a statistic | `ProgramRating` in `rating.rs`; `summary.rs`, `page.rs`, `src/cli/rate.rs` |

mod chooser;
mod ladder;
mod lost;
mod opponents;
mod page;
mod rating;
mod summary;

pub use chooser::{Chooser, StopRule};
pub use ladder::{
    LADDER, LADDER_ERROR, LADDER_MEASURED_WITH, LadderRung, ladder_pairs, ladder_signature,
    measured,
};
pub use lost::{LostGame, lost_games};
pub use opponents::{
    are_of_a_rating, check_placement, opponents, played_opponents, rating_settings,
};
pub use page::{RATING_PAGE, page, page_without_rating};
pub use rating::{OpponentScore, ProgramRating};
pub use summary::RatingText;
