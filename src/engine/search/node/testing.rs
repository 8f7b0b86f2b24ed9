//! Helpers for the tests of nodes.

use super::Searcher;
use crate::eval::{Weighted, Weights};
use crate::jobs::NEVER;
use crate::search::history::History;
use crate::search::limits::Clock;
use crate::search::tables::SearchTables;
use crate::search::transposition::TranspositionTable;
use crate::search::{Limits, Params};

/// Tests a searcher that has searched nothing yet.
pub(super) fn with_searcher<T>(
    params: Params,
    test: impl FnOnce(&mut Searcher<'_, 5, Weighted>) -> T,
) -> T {
    let (mut table, tables) = (TranspositionTable::new(1), SearchTables::new(params));
    table.make_room(None);
    let (mut history, clock) = (History::default(), Clock::start(Limits::default(), &NEVER));
    let evaluator = Weighted(Weights::TUNED);
    test(&mut Searcher::new(
        &table,
        &mut history,
        evaluator,
        &clock,
        &tables,
    ))
}
