//! Reproducible searches with a fixed number of nodes, and self-play with them.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::{Rng, RngExt};

use crate::arena::{Action, PlayedGame};
use crate::eval::EvalKind;
use crate::rules::Position;
use crate::search::{Engine, EngineOptions, Limits, Line};

/// An engine with one thread and node limits. Its results depend only on earlier searches.
pub struct FixedNodeEngine<'a> {
    engine: Engine<5>,
    stop: &'a AtomicBool,
}

impl<'a> FixedNodeEngine<'a> {
    /// A new engine with an empty table. Once `stop` is set, its searches return at once
    /// and their results are meaningless.
    pub fn new(eval: EvalKind, hash_mib: usize, stop: &'a AtomicBool) -> Self {
        let engine = Engine::new(EngineOptions {
            hash_mib,
            threads: 1,
            eval,
            ..EngineOptions::default()
        });
        Self { engine, stop }
    }

    /// The score of the position for its mover.
    pub fn score(&mut self, position: &Position<5>, limits: &Limits) -> i32 {
        let report = self.engine.search(position, limits, self.stop, &mut |_| {});
        report.score()
    }

    /// The best turns of the position, at most `count`, best first.
    pub fn lines(&mut self, position: &Position<5>, count: usize, nodes: u64) -> Vec<Line> {
        let limits = Limits::nodes(nodes);
        let report = self
            .engine
            .search_lines(position, count, &limits, self.stop, &mut |_| {});
        report.lines
    }

    /// Plays the game to its end; returns whether the mover wins. Each turn has a random
    /// number of nodes, from half to one and a half times `nodes`, so that games differ.
    pub fn mover_wins_trial(
        &mut self,
        position: &Position<5>,
        nodes: u64,
        rng: &mut impl Rng,
    ) -> bool {
        let turn_nodes = || rng.random_range(nodes / 2..=nodes * 3 / 2).max(1);
        self.mover_wins(position, turn_nodes)
    }

    /// Plays the game to its end, unless it is stopped; returns whether the mover wins.
    /// `nodes` gives the nodes of each turn.
    pub fn mover_wins(&mut self, position: &Position<5>, mut nodes: impl FnMut() -> u64) -> bool {
        let game = PlayedGame::play(*position, |_, position| {
            if self.stop.load(Ordering::Relaxed) {
                return Action::STOPPED;
            }
            let limits = Limits::nodes(nodes());
            let report = self
                .engine
                .search(position, &limits, self.stop, &mut |_| {});
            Action::of_search(&report)
        });
        game.first_mover_won()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;

    #[test]
    fn a_stopped_game_ends_without_another_search() {
        let start = "00000/00000/00000/00000/00000 c2c4 b3d3 0";
        let stop = AtomicBool::new(false);
        let mut engine = FixedNodeEngine::new(EvalKind::Weighted(Weights::TUNED), 1, &stop);
        let mut turns = 0;
        engine.mover_wins(&start.parse().unwrap(), || {
            turns += 1;
            stop.store(turns == 2, Ordering::Relaxed);
            10
        });
        assert_eq!(turns, 2);
    }
}
