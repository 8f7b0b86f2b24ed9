//! Learning what turns are worth for what they are like (`search/policy/`).
//!
//! | to see or change | look at |
//! |---|---|
//! | the positions learned from, and which of their turns are good | `lessons.rs` |
//! | the fitting | `fit.rs` |

mod fit;
mod lessons;

pub use fit::{Epoch, FitOptions, fit};
pub use lessons::{Lesson, LessonOptions, lessons};
