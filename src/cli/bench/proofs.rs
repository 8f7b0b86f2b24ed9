//! `santorini bench proofs`: how many proofs the engine finds.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::cli::CliError;
use crate::cli::engine::jobs;
use crate::cli::output::print;
use crate::cli::progress::Progress;
use crate::eval::EvalKind;
use crate::rules::Position;
use crate::search::{Engine, EngineOptions, Limits, is_proved};
use crate::solve::{BUILT_IN, ProvedPosition};
use crate::table::{Table, percent};

/// The node limits of the searches for a proof.
const STEPS: [u64; 3] = [10_000, 100_000, 1_000_000];

/// The positions of one kind, and how many are proved within each node limit.
#[derive(Clone, Copy, Default)]
struct Score {
    positions: u64,
    proved: [u64; STEPS.len()],
}

impl Score {
    fn add(&mut self, nodes: Option<u64>) {
        self.positions += 1;
        for (count, most) in self.proved.iter_mut().zip(STEPS) {
            *count += u64::from(nodes.is_some_and(|nodes| nodes <= most));
        }
    }
}

/// Searches the positions of the file, or some of them, and prints how many are
/// proved. After Ctrl-C only the positions searched so far count.
pub(super) fn run(most: Option<usize>, eval: EvalKind, stop: &AtomicBool) -> Result<(), CliError> {
    let proofs = ProvedPosition::read(BUILT_IN).map_err(CliError::Failed)?;
    let proofs = spread(proofs, most);
    let jobs = jobs(0, stop);
    let began = Instant::now();
    let progress = Progress::new(proofs.len() as u64, "positions");
    let [mut base, mut cards] = [Score::default(); 2];
    let mut searched = 0;
    let prove = |number: u64| {
        let (position, proof) = &proofs[number as usize];
        search(position, proof, eval, stop)
    };
    jobs.run_whole(0..proofs.len() as u64, prove, |number, found| {
        let (nodes, work) = found.map_err(CliError::Failed)?;
        let (position, _) = &proofs[number as usize];
        let score = match position.cards() {
            [None, _] => &mut base,
            _ => &mut cards,
        };
        score.add(nodes);
        searched += work;
        progress.inc();
        Ok::<(), CliError>(())
    })?;
    progress.finish();
    let mut table = Table::new([
        "positions",
        "number",
        "in 10,000",
        "in 100,000",
        "in 1,000,000",
    ]);
    for (name, score) in [("base game", base), ("cards", cards)] {
        let share = |count: u64| percent(count as f64 / score.positions.max(1) as f64);
        let [first, second, third] = score.proved.map(share);
        table.add([
            name.into(),
            score.positions.to_string(),
            first,
            second,
            third,
        ]);
    }
    print(table.with_names_in(0).text())?;
    let done = base.positions + cards.positions;
    if done < proofs.len() as u64 {
        return Err(CliError::Interrupted(format!(
            " after {done} of {} positions",
            proofs.len()
        )));
    }
    let sum: u64 = [base, cards].iter().flat_map(|score| score.proved).sum();
    let seconds = began.elapsed().as_secs_f64();
    print(format_args!("score  {sum}\n"))?;
    print(format_args!("nodes  {searched}\n"))?;
    print(format_args!("time   {seconds:.1} s\n"))
}

/// At most this many positions, evenly spread.
fn spread<T>(all: Vec<T>, most: Option<usize>) -> Vec<T> {
    let step = most.map_or(1, |most| all.len().div_ceil(most.max(1)).max(1));
    all.into_iter().step_by(step).collect()
}

/// The nodes that a new engine needs to prove the position, if it does, and the nodes
/// that it searched.
fn search(
    position: &Position<5>,
    proof: &ProvedPosition,
    eval: EvalKind,
    stop: &AtomicBool,
) -> Result<(Option<u64>, u64), String> {
    let mut engine = Engine::new(EngineOptions {
        hash_mib: 16,
        threads: 1,
        eval,
        ..EngineOptions::default()
    });
    let limits = Limits::nodes(STEPS[STEPS.len() - 1]);
    let report = engine.search(position, &limits, stop, &mut |_| {});
    let score = report.score();
    if !is_proved(score) {
        return Ok((None, report.nodes));
    }
    if (score > 0) != proof.wins {
        return Err(format!(
            "{position}: the engine proves the opposite of {}",
            proof.value()
        ));
    }
    Ok((Some(report.nodes), report.nodes))
}
