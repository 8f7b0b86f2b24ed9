//! Every tunable number of the search, each with its unit.
//!
//! Scores and margins are in hundredths of a level of height, depths in plies.

/// Half the width of the first aspiration window.
pub const ASPIRATION_WINDOW: i32 = 40;
/// The first depth that is searched with an aspiration window.
pub const ASPIRATION_DEPTH: u32 = 4;

/// Reverse futility pruning: the greatest depth, and the margin a ply.
pub const REVERSE_FUTILITY_DEPTH: i32 = 6;
pub const REVERSE_FUTILITY_MARGIN: i32 = 68;

/// Late move pruning: the greatest depth, and how many turns are searched:
/// the base plus the factor times the depth squared.
pub const LATE_MOVE_PRUNING_DEPTH: i32 = 6;
pub const LATE_MOVE_PRUNING_BASE: usize = 6;
pub const LATE_MOVE_PRUNING_FACTOR: usize = 3;

/// Late move reduction: plies taken off are
/// `base + ln(depth) * ln(turns tried) / divisor`.
pub const REDUCTION_BASE: f64 = 0.64;
pub const REDUCTION_DIVISOR: f64 = 1.62;
/// The least depth, and turns tried first, for a reduction.
pub const REDUCTION_DEPTH: i32 = 2;
pub const REDUCTION_TURNS: usize = 1;

/// Internal iterative reduction: the least depth at which a node without a
/// turn from the table is searched a ply less deep.
pub const INTERNAL_REDUCTION_DEPTH: i32 = 3;

/// Turn ordering: the value of a killer, and of each level climbed.
pub const KILLER_VALUE: i32 = 1 << 20;
pub const CLIMB_VALUE: i32 = 3200;
/// The bounds of a history value, the bonus a ply of depth and its maximum.
pub const HISTORY_MAX: i32 = 16_384;
pub const HISTORY_BONUS: i32 = 165;
pub const HISTORY_BONUS_MAX: i32 = 1740;
