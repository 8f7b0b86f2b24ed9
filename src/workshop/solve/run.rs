//! Solving a game into a file, and resuming it.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::file::{PartFile, write_parts};
use super::game::SmallGame;
use super::header::SolvedFileError;
use super::parts::{NameOf, PartName, PartSize, PartSolver, Parts, highest_kept};
use super::replacement::solve_replacement;
use super::shape::MOST_SQUARES;
use super::solver::Solver;
use super::storage::{Storage, check_disk};
use super::value::ExactValue;
use super::winners::WinnersSolver;
use crate::files::folder_of;
use crate::jobs::Jobs;

/// How a game is solved.
#[derive(Clone, Copy, Debug)]
pub struct SolveOptions {
    /// The maximum memory for parts, in bytes. Parts that need more are stored in files.
    pub memory: u64,
    /// The maximum size of the file, in bytes. The highest layers are omitted if they do
    /// not fit.
    pub keep: u64,
    /// Check the states of one board in this many by their turns, right after solving; 0
    /// checks none.
    pub check: u64,
    /// The time between two checkpoints.
    pub checkpoint: Duration,
    /// Solve again, into a file beside the old one that replaces it when it is finished.
    pub force: bool,
}

/// Why a game was not solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The file of the solved game cannot be used.
    #[error(transparent)]
    File(#[from] SolvedFileError),
    /// The working files cannot be made or mapped.
    #[error("{0}")]
    Storage(#[from] io::Error),
    /// The stop flag was set.
    #[error("stopped")]
    Stopped,
    /// The layers in use at a time fit neither in memory nor on the disk; the message with all
    /// sizes.
    #[error("{0}")]
    TooLarge(String),
    /// The index alone exceeds the memory allowed; the message with both sizes.
    #[error("{0}")]
    LittleMemory(String),
    /// The solved layers do not fit on the disk; the message with both sizes.
    #[error("{0}")]
    FullDisk(String),
    /// The hash table is full; the number is its capacity.
    #[error("the game has more than {0} positions, too many for the table")]
    FullTable(usize),
    /// Verification found a position whose value contradicts its successors.
    #[error("a bug in this program: {0} is solved as {1}, but its turns give {2}")]
    Wrong(String, ExactValue, ExactValue),
    /// Verification found a position whose winner contradicts its successors.
    #[error("a bug in this program: the winner of {0} contradicts its turns")]
    WrongWinner(String),
    /// The file does not keep a layer that is needed.
    #[error("the file keeps boards of up to {kept} levels, and this needs one of {total}")]
    NotKept {
        /// The sum of levels of the needed layer.
        total: usize,
        /// The largest sum of levels stored.
        kept: usize,
    },
}

impl SolveError {
    /// What would help: some words, and the setting that follows them. It is an option of
    /// the command and an argument in Python.
    pub const fn remedy(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::TooLarge(_) | Self::LittleMemory(_) | Self::FullTable(_) => {
                Some(("use a larger", "memory"))
            }
            Self::FullDisk(_) => Some(("use a smaller", "keep")),
            Self::NotKept { .. } => Some(("solve it with a larger", "keep")),
            _ => None,
        }
    }
}

/// The result of a run; the default if the file was already finished.
#[derive(Clone, Copy, Default, Debug)]
pub struct SolveReport {
    /// The states that were checked by their turns.
    pub checked: u64,
    /// Whether earlier runs had solved a part.
    pub resumed: bool,
    /// The next layer to solve, if the work was stopped.
    pub next: Option<usize>,
    /// The maximum bytes of layers needed at the same time.
    pub memory: u64,
    /// Whether the layers were stored in files.
    pub on_disk: bool,
    /// The bytes of an incomplete last part of the file, which was solved again.
    pub incomplete: u64,
    /// Whether the checkpoint was damaged and ignored.
    pub bad_checkpoint: bool,
    /// Whether the unfinished new file was damaged and started again.
    pub bad_unfinished: bool,
}

/// The progress of solving.
#[derive(Clone, Copy, Debug)]
pub struct SolveProgress {
    /// The last layer that was solved.
    pub total: usize,
    /// The bytes solved so far.
    pub done: u64,
    /// The bytes to solve in all.
    pub all: u64,
}

/// The default time between two checkpoints.
pub const CHECKPOINT: Duration = Duration::from_secs(600);

/// The checkpoint of a file: the layers needed to resume that the file does not keep.
pub fn checkpoint_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".checkpoint");
    name.into()
}

/// Solves a game into a file, or resumes it. With [`SolveOptions::force`] the old file
/// stays until the new one is finished.
///
/// # Errors
/// If there is not enough memory or disk space, or the file cannot be written. Layers
/// already in the file stay there.
pub fn solve_into(
    path: &Path,
    game: &SmallGame,
    options: &SolveOptions,
    jobs: Jobs,
    report: impl FnMut(&SolveProgress),
) -> Result<SolveReport, SolveError> {
    let solver = Solver::new(game, [0; MOST_SQUARES], jobs);
    solve(path, game, &solver, options, report)
}

/// Writes the winner of every state of a game with one worker each and without cards to a
/// file, or resumes it. Otherwise like [`solve_into`].
///
/// # Errors
/// As [`solve_into`].
pub fn solve_winners(
    path: &Path,
    game: &SmallGame,
    options: &SolveOptions,
    jobs: Jobs,
    report: impl FnMut(&SolveProgress),
) -> Result<SolveReport, SolveError> {
    let solver = WinnersSolver::new(game, jobs);
    solve(path, game, &solver, options, report)
}

fn solve<S: PartSolver>(
    path: &Path,
    game: &SmallGame,
    solver: &S,
    options: &SolveOptions,
    report: impl FnMut(&SolveProgress),
) -> Result<SolveReport, SolveError> {
    let sizes = solver.sizes();
    let kept = highest_kept(&sizes, options.keep);
    let solve = |path: &Path| solve_file(path, (game, kept), solver, &sizes, options, report);
    if !options.force {
        return solve(path);
    }
    let begun = |beside: &Path| PartFile::<S::Index>::begun(beside, game, kept).map(drop);
    let done = solve_replacement(path, begun, solve)?;
    if done.next.is_none() {
        drop_checkpoint::<S>(path, game);
    }
    Ok(done)
}

/// Solves a game into a new or unfinished file.
fn solve_file<S: PartSolver>(
    path: &Path,
    (game, kept): (&SmallGame, usize),
    solver: &S,
    sizes: &[PartSize<NameOf<S>>],
    options: &SolveOptions,
    report: impl FnMut(&SolveProgress),
) -> Result<SolveReport, SolveError> {
    let begun = PartFile::<S::Index>::begun(path, game, kept)?;
    if begun.as_ref().is_some_and(PartFile::is_finished) {
        return Ok(SolveReport::default());
    }
    if let Err(error) = checkpoint::<S>(path, game)
        && error.is_other()
        && !options.force
    {
        return Err(error.into());
    }
    let incomplete = begun.as_ref().map_or(Ok(0), PartFile::behind)?;
    let there = begun.map_or(0, |file| file.length());
    let folder = folder_of(path);
    let memory = solver.most_at_once(|size| size.bytes + size.index);
    let indexes = solver.most_at_once(|size| size.index);
    let storage = Storage::choose(game, [memory, indexes], options, folder)?;
    let in_file = sizes.iter().filter(|size| size.name.total() <= kept);
    let whole: u64 = in_file.map(|size| size.bytes).sum();
    let on_disk = matches!(storage, Storage::Disk(_));
    let layers = if on_disk { memory } else { 0 };
    check_disk(whole.saturating_sub(there), layers, folder, options)?;
    let mut run = Run {
        path,
        game,
        options,
        solver,
        sizes,
        file: PartFile::resume(path, game, kept)?,
        saved: Instant::now(),
        done: SolveReport {
            memory,
            on_disk,
            incomplete,
            ..SolveReport::default()
        },
        storage,
        report,
    };
    run.all()?;
    Ok(run.done)
}

struct Run<'a, S: PartSolver, R> {
    path: &'a Path,
    game: &'a SmallGame,
    options: &'a SolveOptions,
    solver: &'a S,
    /// In the order in which the parts are solved.
    sizes: &'a [PartSize<NameOf<S>>],
    /// Where parts are stored while later parts need them.
    storage: Storage,
    file: PartFile<S::Index>,
    /// When a checkpoint was last written.
    saved: Instant,
    done: SolveReport,
    report: R,
}

impl<S: PartSolver, R: FnMut(&SolveProgress)> Run<'_, S, R> {
    fn all(&mut self) -> Result<(), SolveError> {
        let bytes = |sizes: &[PartSize<_>]| sizes.iter().map(|size| size.bytes).sum();
        let (first, mut parts) = self.begun()?;
        self.done.resumed = first > 0;
        for number in first..self.sizes.len() {
            let name = self.sizes[number].name;
            parts.retain(|&solved, _| self.solver.is_needed(solved, name));
            let part = match self.solver.solve(name, &parts, &self.storage) {
                Err(SolveError::Stopped) => {
                    self.done.next = Some(name.total());
                    self.file.sync()?;
                    return match number > first {
                        true => self.save(number, &parts),
                        false => Ok(()),
                    };
                }
                part => part?,
            };
            parts.insert(name, part);
            if self.options.check > 0 {
                self.done.checked += self.solver.check(name, &parts, self.options.check)?;
            }
            if name.total() <= self.file.kept() && !self.file.has(name) {
                self.file.add(&parts[&name])?;
            }
            if self.saved.elapsed() >= self.options.checkpoint {
                // Continue without a checkpoint. It is an error only if it cannot be saved
                // when the work is stopped.
                let _ = self.save(number + 1, &parts);
            }
            (self.report)(&SolveProgress {
                total: name.total(),
                done: bytes(&self.sizes[..=number]),
                all: bytes(self.sizes),
            });
        }
        self.file.sync()?;
        drop_checkpoint::<S>(self.path, self.game);
        Ok(())
    }

    /// The first part to solve, with the parts that it needs. A damaged checkpoint counts
    /// as missing.
    fn begun(&mut self) -> Result<(usize, Parts<S::Index>), SolveError> {
        let saved = checkpoint::<S>(self.path, self.game);
        self.done.bad_checkpoint = matches!(&saved, Err(SolvedFileError::Damaged { .. }));
        match self.parts(saved.ok().flatten().as_ref()) {
            Err(SolveError::File(SolvedFileError::Damaged { path, .. })) if path != self.path => {
                self.done.bad_checkpoint = true;
                self.parts(None)
            }
            parts => parts,
        }
    }

    /// The first part to solve and the parts it needs, from the file or the checkpoint;
    /// fewer parts if the work is stopped.
    fn parts(
        &self,
        saved: Option<&PartFile<S::Index>>,
    ) -> Result<(usize, Parts<S::Index>), SolveError> {
        let first = self.first(saved);
        let mut parts = Parts::<S::Index>::new();
        for name in self.needed(first) {
            let index = match self.solver.index(name) {
                // Nothing will be solved.
                Err(SolveError::Stopped) => break,
                index => index?,
            };
            let saved = saved.filter(|_| !self.file.has(name));
            let file = saved.unwrap_or(&self.file);
            parts.insert(name, file.part(index, &self.storage)?);
        }
        Ok((first, parts))
    }

    /// The number of the first part to solve: the last one for which the file has all
    /// earlier parts that it keeps, and the file or the checkpoint all that are needed.
    fn first(&self, saved: Option<&PartFile<S::Index>>) -> usize {
        let is_held = |name| self.file.has(name) || saved.is_some_and(|saved| saved.has(name));
        let solved = |first| self.sizes[..first].iter().map(|size| size.name);
        let can_begin = |&first: &usize| {
            let mut kept = solved(first).filter(|name| name.total() <= self.file.kept());
            kept.all(|name| self.file.has(name)) && self.needed(first).all(is_held)
        };
        let mut firsts = (0..=self.sizes.len()).rev();
        firsts.find(can_begin).unwrap_or(0)
    }

    /// The solved parts that this one and later ones need.
    fn needed(&self, first: usize) -> impl Iterator<Item = NameOf<S>> {
        let next = self.sizes.get(first).map(|size| size.name);
        let solved = self.sizes[..first].iter().map(|size| size.name);
        solved.filter(move |&name| next.is_some_and(|next| self.solver.is_needed(name, next)))
    }

    /// Saves the parts that this one and later ones need, unless the file has them.
    fn save(&mut self, next: usize, parts: &Parts<S::Index>) -> Result<(), SolveError> {
        self.saved = Instant::now();
        let needed: Vec<_> = self.needed(next).collect();
        if needed.iter().all(|&name| self.file.has(name)) {
            drop_checkpoint::<S>(self.path, self.game);
            return Ok(());
        }
        // The checkpoint refers to the file, so the file must survive a power failure too.
        self.file.sync()?;
        let parts = parts.iter().filter(|(name, _)| needed.contains(name));
        let parts = parts.map(|(_, part)| part);
        Ok(write_parts(&checkpoint_path(self.path), self.game, parts)?)
    }
}

/// Opens the checkpoint of a file; `None` if it is of another game.
fn checkpoint<S: PartSolver>(
    path: &Path,
    game: &SmallGame,
) -> Result<Option<PartFile<S::Index>>, SolvedFileError> {
    let saved = PartFile::open(&checkpoint_path(path))?;
    let is_same = saved.game().to_string() == game.to_string();
    Ok(is_same.then_some(saved))
}

/// Removes the checkpoint of a file.
fn drop_checkpoint<S: PartSolver>(path: &Path, game: &SmallGame) {
    if matches!(checkpoint::<S>(path, game), Ok(Some(_))) {
        let _ = std::fs::remove_file(checkpoint_path(path));
    }
}
