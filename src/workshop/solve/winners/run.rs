//! Finding out who wins a game, into a file, and going on with one.

use std::path::Path;
use std::time::Instant;

use super::file::{WinnersFile, write_slabs};
use super::slab::{SlabIndex, SlabName};
use super::solver::{Slabs, WinnersSolver, is_needed};
use crate::files::folder_of;
use crate::jobs::Jobs;
use crate::solve::anew::anew;
use crate::solve::file::SolvedFileError;
use crate::solve::game::SmallGame;
use crate::solve::run::{
    SolveError, SolveOptions, SolveProgress, SolveReport, check_disk, checkpoint_path, choose_room,
};
use crate::solve::solver::Room;
use crate::solve::state::SmallState;

/// Finds out who wins every state of a game with one worker each, without cards,
/// into a file, from where it was stopped before. With [`SolveOptions::force`] the file
/// that is there stays until the new one is whole.
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
    let solver = WinnersSolver::new(game, jobs, Room::Memory);
    if !options.force {
        return solve_file(path, game, solver, options, report);
    }
    let kept = kept_layer(&solver, options.keep);
    let solve = |beside: &Path| solve_file(beside, game, solver, options, report);
    let begun = |beside: &Path| WinnersFile::begun(beside, game, kept).map(drop);
    let done = anew(path, begun, solve)?;
    if done.next.is_none() {
        drop_checkpoint(path, game);
    }
    Ok(done)
}

/// Finds out who wins, into a file for which there is nothing else to do.
fn solve_file(
    path: &Path,
    game: &SmallGame,
    mut solver: WinnersSolver,
    options: &SolveOptions,
    report: impl FnMut(&SolveProgress),
) -> Result<SolveReport, SolveError> {
    let kept = kept_layer(&solver, options.keep);
    let begun = WinnersFile::begun(path, game, kept)?;
    if begun.as_ref().is_some_and(WinnersFile::is_finished) {
        return Ok(SolveReport::default());
    }
    let incomplete = begun.as_ref().map_or(Ok(0), WinnersFile::behind)?;
    let folder = folder_of(path).to_path_buf();
    let memory = solver.most_memory();
    let room = choose_room(game, memory, 0, options, &folder)?;
    let on_disk = matches!(room, Room::Disk(_));
    solver.set_room(room);
    let names = solver.names();
    let bytes = |name: &&SlabName| name.total <= kept;
    let whole: u64 = names
        .iter()
        .filter(bytes)
        .map(|&name| solver.bytes(name))
        .sum();
    let there = begun.map_or(0, |file| file.length());
    check_disk(whole.saturating_sub(there), &folder, options)?;
    let file = WinnersFile::resume(path, game, kept)?;
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
            incomplete,
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
        drop_checkpoint(self.path, self.game);
        Ok(())
    }

    /// Saves what is needed to go on with a slab, unless the file has it.
    fn save(&mut self, next: SlabName, slabs: &Slabs) -> Result<(), SolveError> {
        self.saved = Instant::now();
        let needed = || slabs.iter().filter(|&(&name, _)| is_needed(name, next));
        if needed().all(|(&name, _)| self.file.has(name)) {
            drop_checkpoint(self.path, self.game);
            return Ok(());
        }
        // It would be of no use if it survived a power failure and the file did not.
        self.file.sync()?;
        let slabs = needed().map(|(_, slab)| slab);
        Ok(write_slabs(&checkpoint_path(self.path), self.game, slabs)?)
    }

    /// Where the work goes on, with the slabs that are needed for it. If the checkpoint
    /// turns out to be damaged, it is as if it were not there.
    fn begun(&mut self) -> Result<(usize, Slabs), SolveError> {
        let saved = WinnersFile::open(&checkpoint_path(self.path));
        self.done.bad_checkpoint = matches!(&saved, Err(SolvedFileError::Damaged { .. }));
        let saved = saved.ok();
        let saved = saved.filter(|saved| saved.game().to_string() == self.game.to_string());
        let (first, slabs) = match self.slabs(saved.as_ref()) {
            Err(SolveError::File(SolvedFileError::Damaged { path, .. })) if path != self.path => {
                self.done.bad_checkpoint = true;
                self.slabs(None)?
            }
            slabs => slabs?,
        };
        let solved = self.names[..first].iter();
        let kept = solved.filter(|name| name.total <= self.file.kept()).count();
        self.file.keep_first(kept)?;
        Ok((first, slabs))
    }

    /// The first slab that is not solved: as far on as the file has all before it that
    /// it keeps, and the file or the checkpoint beside it all that are needed.
    fn first(&self, saved: Option<&WinnersFile>) -> usize {
        let is_held = |name| self.file.has(name) || saved.is_some_and(|saved| saved.has(name));
        let can_begin = |&first: &usize| {
            let solved = &self.names[..first];
            let mut kept = solved.iter().filter(|name| name.total <= self.file.kept());
            kept.all(|&name| self.file.has(name)) && self.needed(first).all(is_held)
        };
        let mut firsts = (0..=self.names.len()).rev();
        firsts.find(can_begin).unwrap_or(0)
    }

    /// The solved slabs that are needed to go on with this one.
    fn needed(&self, first: usize) -> impl Iterator<Item = SlabName> {
        let next = self.names.get(first).copied();
        let solved = self.names[..first].iter().copied();
        solved.filter(move |&name| next.is_some_and(|next| is_needed(name, next)))
    }

    /// The first slab that is not solved, and those that are needed to go on with it.
    fn slabs(&self, saved: Option<&WinnersFile>) -> Result<(usize, Slabs), SolveError> {
        let first = self.first(saved);
        let mut slabs = Slabs::new();
        for name in self.needed(first) {
            let index = SlabIndex::new(self.solver.split(), name);
            let bytes = self.solver.bytes_for(&index)?;
            let saved = saved.filter(|_| !self.file.has(name));
            slabs.insert(name, saved.unwrap_or(&self.file).slab(index, bytes)?);
        }
        Ok((first, slabs))
    }
}

/// Removes the checkpoint of a file.
fn drop_checkpoint(path: &Path, game: &SmallGame) {
    let path = checkpoint_path(path);
    let saved = WinnersFile::open(&path);
    if saved.is_ok_and(|saved| saved.game().to_string() == game.to_string()) {
        let _ = std::fs::remove_file(path);
    }
}
