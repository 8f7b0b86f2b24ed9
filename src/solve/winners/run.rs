//! Finding out who wins a game, into a file, and going on with one.

use std::path::Path;
use std::time::Instant;

use super::file::{WinnersFile, write_slabs};
use super::slab::{SlabIndex, SlabName};
use super::solver::{Slabs, WinnersSolver, is_needed};
use crate::files::folder_of;
use crate::jobs::Jobs;
use crate::solve::bytes::Bytes;
use crate::solve::game::SmallGame;
use crate::solve::run::{
    SolveError, SolveOptions, SolveProgress, SolveReport, check_disk, checkpoint_path, choose_room,
};
use crate::solve::solver::Room;
use crate::solve::state::SmallState;

/// Finds out who wins every state of a game with one worker each, without cards,
/// into a file, from where it was stopped before.
///
/// # Errors
/// If there is not enough memory or disk, or the file cannot be written. Then the
/// slabs that are in the file stay there.
pub fn solve_winners(
    path: &Path,
    game: &SmallGame,
    options: &SolveOptions,
    jobs: Jobs,
    report: impl FnMut(&SolveProgress),
) -> Result<SolveReport, SolveError> {
    let mut solver = WinnersSolver::new(game, jobs, Room::Memory);
    let memory = solver.most_memory();
    let folder = folder_of(path).to_path_buf();
    let room = choose_room(game, memory, 0, options, &folder)?;
    let on_disk = matches!(room, Room::Disk(_));
    solver.set_room(room);
    let kept = kept_layer(&solver, options.keep);
    let names = solver.names();
    let bytes = |name: &&SlabName| name.total <= kept;
    let need = names
        .iter()
        .filter(bytes)
        .map(|&name| solver.bytes(name))
        .sum();
    check_disk(need, &folder)?;
    let file = WinnersFile::resume(path, game, kept, options.force)?;
    let mut run = Run {
        path,
        game,
        options,
        solver: &solver,
        file,
        names: &names,
        saved: Instant::now(),
        done: SolveReport {
            memory,
            on_disk,
            ..SolveReport::default()
        },
        report,
    };
    run.all()?;
    Ok(run.done)
}

/// The highest layer so that it and all below take at most `keep` bytes; at least
/// the lowest.
fn kept_layer(solver: &WinnersSolver, keep: u64) -> usize {
    let mut whole = 0;
    let mut kept = 0;
    for name in solver.names().into_iter().rev() {
        whole += solver.bytes(name);
        if whole > keep {
            return kept.min(name.total.saturating_sub(1));
        }
        kept = name.total;
    }
    kept
}

struct Run<'a, R> {
    path: &'a Path,
    game: &'a SmallGame,
    options: &'a SolveOptions,
    solver: &'a WinnersSolver<'a>,
    file: WinnersFile,
    /// In the order in which they are solved.
    names: &'a [SlabName],
    /// When a checkpoint was last written.
    saved: Instant,
    done: SolveReport,
    report: R,
}

impl<R: FnMut(&SolveProgress)> Run<'_, R> {
    fn all(&mut self) -> Result<(), SolveError> {
        let (first, mut slabs) = self.begun()?;
        let all = self.names.iter().map(|&name| self.solver.bytes(name)).sum();
        let solved = &self.names[..first];
        let mut bytes: u64 = solved.iter().map(|&name| self.solver.bytes(name)).sum();
        for &name in &self.names[first..] {
            slabs.retain(|&solved, _| is_needed(solved, name));
            if self.saved.elapsed() >= self.options.checkpoint {
                // Without one the work goes on as well.
                let _ = self.save(name, &slabs);
            }
            let Some(slab) = self.solver.slab(name, &slabs)? else {
                self.done.next = Some(name.total);
                return self.save(name, &slabs);
            };
            if self.options.check > 0 {
                let checked = self.solver.check(&slab, &slabs, self.options.check);
                let wrong = |state: SmallState| SolveError::WrongWinner(state.text(self.game));
                self.done.checked += checked.map_err(wrong)?;
            }
            if name.total <= self.file.kept() {
                self.file.add(&slab)?;
            }
            slabs.insert(name, slab);
            bytes += self.solver.bytes(name);
            (self.report)(&SolveProgress {
                total: name.total,
                done: bytes,
                all,
            });
        }
        self.file.sync()?;
        self.drop_checkpoint();
        Ok(())
    }

    /// Saves what is needed to go on with a slab, unless the file has it.
    fn save(&mut self, next: SlabName, slabs: &Slabs) -> Result<(), SolveError> {
        self.saved = Instant::now();
        let needed = || slabs.iter().filter(|&(&name, _)| is_needed(name, next));
        if needed().all(|(&name, _)| self.file.has(name)) {
            self.drop_checkpoint();
            return Ok(());
        }
        let slabs = needed().map(|(_, slab)| slab);
        Ok(write_slabs(&checkpoint_path(self.path), self.game, slabs)?)
    }

    /// Where the work goes on, with the slabs that are needed for it: as far on as
    /// the file and the checkpoint beside it have them all.
    fn begun(&mut self) -> Result<(usize, Slabs), SolveError> {
        if self.options.force {
            self.drop_checkpoint();
        }
        let saved = WinnersFile::open(&checkpoint_path(self.path)).ok();
        let saved = saved.filter(|saved| saved.game().to_string() == self.game.to_string());
        let is_saved = |name| saved.as_ref().is_some_and(|saved| saved.has(name));
        let is_held = |name| self.file.has(name) || is_saved(name);
        let can_begin = |&first: &usize| {
            let solved = &self.names[..first];
            let next = self.names.get(first);
            let mut kept = solved.iter().filter(|name| name.total <= self.file.kept());
            let is_needed = |&&name: &&SlabName| next.is_some_and(|&next| is_needed(name, next));
            kept.all(|&name| self.file.has(name))
                && solved.iter().filter(is_needed).all(|&name| is_held(name))
        };
        let first = (0..=self.names.len()).rev().find(can_begin).unwrap_or(0);
        let mut slabs = Slabs::new();
        for &name in &self.names[..first] {
            if self
                .names
                .get(first)
                .is_some_and(|&next| is_needed(name, next))
            {
                let index = SlabIndex::new(self.solver.split(), name);
                let bytes: Bytes = self.solver.bytes_for(&index)?;
                let slab = match &saved {
                    Some(saved) if !self.file.has(name) => saved.slab(index, bytes)?,
                    _ => self.file.slab(index, bytes)?,
                };
                slabs.insert(name, slab);
            }
        }
        let solved = self.names[..first].iter();
        let kept = solved.filter(|name| name.total <= self.file.kept()).count();
        self.file.keep_first(kept)?;
        Ok((first, slabs))
    }

    fn drop_checkpoint(&self) {
        let path = checkpoint_path(self.path);
        let saved = WinnersFile::open(&path);
        if saved.is_ok_and(|saved| saved.game().to_string() == self.game.to_string()) {
            let _ = std::fs::remove_file(path);
        }
    }
}
