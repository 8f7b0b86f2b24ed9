//! `santorini bench` and `santorini bench cards`: the speed and the signature
//! of the search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::BENCH_BOARD;
use crate::cli::CliError;
use crate::cli::output::print;
use crate::cli::progress::Progress;
use crate::eval::{EvalKind, Weights};
use crate::rules::Position;
use crate::search::{Engine, EngineOptions, Limits, ScoreText};

/// The depth of the recorded signature.
pub(super) const DEPTH: u32 = 9;

/// Positions of random games on 5x5 spaces, from the opening to the endgame.
const FIVE: [&str; 13] = [
    BENCH_BOARD,
    "00000/00100/00000/00000/00000 c1e4 d2e2 1",
    "10000/01000/10110/21011/00100 c4a5 a2b5 11",
    "01000/02112/00210/11211/01040 c1c5 e3b4 21",
    "00000/01000/01000/00001/00000 d1c2 a2d5 3",
    "00001/00100/00000/00010/00100 a2e3 b1d5 4",
    "01010/10000/01010/11100/11110 e2c5 a3b5 12",
    "00130/11211/32114/20211/20000 e2b4 a2b2 29",
    "00240/00111/01102/00140/00211 c4d5 a2e3 22",
    "00000/13112/01112/11111/23210 a2c3 d3e5 26",
    "10000/00010/10100/00001/00110 b2d4 e1d3 7",
    "00202/03210/00411/21000/00212 d1c4 d2d5 24",
    "11200/13200/11120/01010/02010 a1a4 b4c5 20",
];

/// Positions of random games on 6x6 spaces.
const SIX: [&str; 3] = [
    "000021/000111/100200/211201/012201/110103 e2e5 b5c5 28",
    "001000/002001/000010/121000/002001/000000 d1d4 b1a4 12",
    "202301/101221/113111/001110/000210/000124 b3e4 a2c4 36",
];

/// One position for each ordered pair of cards.
const CARDS: &str = include_str!("cards.txt");

/// The depth of the signature with cards.
const CARDS_DEPTH: u32 = 5;

/// The cost of searching some positions.
struct Work {
    positions: u64,
    nodes: u64,
    time: Duration,
    progress: Progress,
}

/// Searches every position without cards to the given depth and prints nodes,
/// time and speed.
pub(super) fn run(depth: u32, eval: EvalKind, stop: &AtomicBool) -> Result<(), CliError> {
    let mut work = Work::on(FIVE.len() + SIX.len());
    search_all::<5>(FIVE, depth, eval, &mut work, stop)?;
    search_all::<6>(SIX, depth, eval, &mut work, stop)?;
    work.print()
}

/// The same for all pairs of cards, with the weighted heuristic.
pub(super) fn run_cards(stop: &AtomicBool) -> Result<(), CliError> {
    let mut work = Work::on(CARDS.lines().count());
    search_all::<5>(
        CARDS.lines(),
        CARDS_DEPTH,
        EvalKind::Weighted(Weights::TUNED),
        &mut work,
        stop,
    )?;
    work.print()
}

impl Work {
    /// Work on a number of positions.
    fn on(positions: usize) -> Self {
        Self {
            positions: 0,
            nodes: 0,
            time: Duration::ZERO,
            progress: Progress::new(positions as u64, "positions"),
        }
    }

    /// Reports what was searched before Ctrl-C.
    fn interrupted(&self) -> CliError {
        CliError::Interrupted(format!(
            " after {} positions: {} nodes in {:.3} s",
            self.positions,
            self.nodes,
            self.time.as_secs_f64()
        ))
    }

    fn print(&self) -> Result<(), CliError> {
        self.progress.finish();
        let seconds = self.time.as_secs_f64();
        print(format_args!("signature {}\n", self.nodes))?;
        print(format_args!("time      {seconds:.3} s\n"))?;
        print(format_args!(
            "speed     {:.2} million nodes/s\n",
            self.nodes as f64 / seconds / 1e6
        ))
    }
}

fn search_all<'a, const N: usize>(
    positions: impl IntoIterator<Item = &'a str>,
    depth: u32,
    eval: EvalKind,
    work: &mut Work,
    stop: &AtomicBool,
) -> Result<(), CliError> {
    // A small table: clearing a large one would take longer than the search.
    let mut engine = Engine::<N>::new(EngineOptions {
        hash_mib: 16,
        threads: 1,
        eval,
        ..EngineOptions::default()
    });
    for text in positions {
        let position: Position<N> = text.parse().expect("the bench positions are valid");
        engine.clear();
        let report = engine.search(&position, &Limits::depth(depth), stop, &mut |_| {});
        if stop.load(Ordering::Relaxed) {
            return Err(work.interrupted());
        }
        let score = ScoreText(report.score());
        let line = format!("{text}  {:>9} nodes  {score}\n", report.nodes);
        work.progress.suspend(|| print(line))?;
        work.progress.inc();
        work.positions += 1;
        work.nodes += report.nodes;
        work.time += report.time;
    }
    Ok(())
}
