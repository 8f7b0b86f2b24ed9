//! Solving a game into a file, and going on with one.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::anew::anew;
use super::by_turns::Difference;
use super::file::{SolvedFile, SolvedFileError, SolvedHeader, write_layers};
use super::game::SmallGame;
use super::layer::{Layer, LayerIndex};
use super::shape::MOST_SQUARES;
use super::size::{LayerSize, layer_sizes, most_memory};
use super::solver::{Layers, Room, Solver};
use super::value::ExactValue;
use crate::files::folder_of;
use crate::jobs::Jobs;
use crate::memory;

/// How a game is solved.
#[derive(Clone, Copy, Debug)]
pub struct SolveOptions {
    /// The most memory for layers, in bytes. With less than they need they are
    /// files.
    pub memory: u64,
    /// The most bytes of the file. The highest layers are left out if they do not
    /// fit.
    pub keep: u64,
    /// Look at every state of one in this many boards by its turns, as soon as it
    /// is solved; not if it is 0.
    pub check: u64,
    /// How long is worked between two checkpoints.
    pub checkpoint: Duration,
    /// Solve anew, whatever is there, in a file beside it that takes its place when it
    /// is whole.
    pub force: bool,
}

/// Why a game was not solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    #[error(transparent)]
    File(#[from] SolvedFileError),
    #[error("{0}")]
    Room(#[from] io::Error),
    #[error(
        "{game} needs {need} for the layers that are worked on at one time: there are {memory} of \
         memory to use (--memory) and {disk} free in {folder}"
    )]
    TooLarge {
        game: String,
        need: String,
        memory: String,
        disk: String,
        folder: PathBuf,
    },
    #[error(
        "{game} needs {need} of memory for the places of its boards even if the layers are files: \
         say a larger --memory than {memory}"
    )]
    LittleMemory {
        game: String,
        need: String,
        memory: String,
    },
    #[error(
        "the file takes {need} more and {folder} has {disk} free: say a smaller --keep{advice}"
    )]
    FullDisk {
        need: String,
        disk: String,
        folder: PathBuf,
        /// What else can be done.
        advice: &'static str,
    },
    #[error(
        "the game has more than {0} positions, for which the table has no places: say a larger \
         --memory"
    )]
    FullTable(usize),
    #[error("a fault of this program: {0} is solved as {1}, but its turns say {2}")]
    Wrong(String, ExactValue, ExactValue),
    #[error("a fault of this program: the winner of {0} is not the one that its turns say")]
    WrongWinner(String),
    #[error(
        "the file keeps boards of up to {kept} levels and this one needs one of {total}; \
         `santorini solve` keeps more with a larger --keep"
    )]
    NotKept { total: usize, kept: usize },
}

/// What was done: nothing if the file was finished.
#[derive(Clone, Copy, Default, Debug)]
pub struct SolveReport {
    /// The states that were looked at by their turns.
    pub checked: u64,
    /// The layer that is solved next, if the work was stopped.
    pub next: Option<usize>,
    /// The most bytes of layers at one time.
    pub memory: u64,
    /// Whether the layers were files.
    pub on_disk: bool,
    /// The bytes of an incomplete last part of the file, which was solved again.
    pub incomplete: u64,
    /// Whether the checkpoint was damaged and not used.
    pub bad_checkpoint: bool,
    /// Whether the file beside, into which was solved anew, was damaged and begun again.
    pub bad_unfinished: bool,
}

/// How far the work is.
#[derive(Clone, Copy, Debug)]
pub struct SolveProgress {
    /// The layer that was solved last.
    pub total: usize,
    /// The bytes solved, and in all.
    pub done: u64,
    pub all: u64,
}

/// What is usual between two checkpoints.
pub const CHECKPOINT: Duration = Duration::from_secs(600);

/// Where layers are saved that the file does not keep, to go on from them.
pub fn checkpoint_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".checkpoint");
    name.into()
}

/// The highest layer so that it and all below take at most `keep` bytes; at
/// least the lowest.
pub fn highest_kept(sizes: &[LayerSize], keep: u64) -> usize {
    let mut whole = 0;
    let fits = |size: &&LayerSize| {
        whole += size.bytes;
        whole <= keep
    };
    sizes.iter().take_while(fits).count().max(1) - 1
}

/// Solves a game into a file, from where it was stopped before. With
/// [`SolveOptions::force`] the file that is there stays until the new one is whole.
///
/// # Errors
/// If there is not enough memory or disk, or the file cannot be written. Then the
/// layers that are in the file stay there.
pub fn solve_into(
    path: &Path,
    game: &SmallGame,
    options: &SolveOptions,
    jobs: Jobs,
    report: impl FnMut(&SolveProgress),
) -> Result<SolveReport, SolveError> {
    let sizes = layer_sizes(game, &[0; MOST_SQUARES], game.symmetries.len());
    let header = SolvedHeader::new(game, highest_kept(&sizes, options.keep));
    if !options.force {
        return solve_file(path, game, (&header, &sizes), options, jobs, report);
    }
    let solve = |beside: &Path| solve_file(beside, game, (&header, &sizes), options, jobs, report);
    let begun = |beside: &Path| SolvedFile::begun(beside, &header).map(drop);
    let done = anew(path, begun, solve)?;
    if done.next.is_none() {
        drop_checkpoint(path, game);
    }
    Ok(done)
}

/// Solves a game into a file for which there is nothing else to do.
fn solve_file(
    path: &Path,
    game: &SmallGame,
    (header, sizes): (&SolvedHeader, &[LayerSize]),
    options: &SolveOptions,
    jobs: Jobs,
    report: impl FnMut(&SolveProgress),
) -> Result<SolveReport, SolveError> {
    let begun = SolvedFile::begun(path, header)?;
    if begun.as_ref().is_some_and(|file| file.has(0)) {
        return Ok(SolveReport::default());
    }
    let incomplete = begun.as_ref().map_or(Ok(0), SolvedFile::behind)?;
    let folder = folder_of(path).to_path_buf();
    let memory = most_memory(game, sizes);
    let room = choose_room(game, memory, index_memory(game, sizes), options, &folder)?;
    let whole: u64 = sizes[..=header.kept].iter().map(|size| size.bytes).sum();
    let there = begun.map_or(0, |file| file.length());
    check_disk(whole.saturating_sub(there), &folder, options)?;
    let file = SolvedFile::resume(path, header)?;
    let on_disk = matches!(room, Room::Disk(_));
    let solver = Solver::new(game, [0; MOST_SQUARES], jobs, room);
    let mut run = Run {
        path,
        game,
        options,
        jobs,
        solver: &solver,
        file,
        sizes,
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

struct Run<'a, R> {
    path: &'a Path,
    game: &'a SmallGame,
    options: &'a SolveOptions,
    jobs: Jobs<'a>,
    solver: &'a Solver<'a>,
    file: SolvedFile,
    sizes: &'a [LayerSize],
    /// When a checkpoint was last written.
    saved: Instant,
    done: SolveReport,
    report: R,
}

impl<R: FnMut(&SolveProgress)> Run<'_, R> {
    fn all(&mut self) -> Result<(), SolveError> {
        if self.file.has(0) {
            return Ok(());
        }
        let begun = self.begun()?;
        let first = lowest_of(&begun);
        if self.jobs.is_stopped() {
            self.done.next = Some(self.next_after(first));
            return Ok(());
        }
        let solver = self.solver;
        let left = solver.solve(begun, 0, |layers| self.take(layers))?;
        self.file.sync()?;
        match lowest_of(&left) {
            Some(0) => drop_checkpoint(self.path, self.game),
            lowest => {
                self.done.next = Some(self.next_after(lowest));
                if lowest != first {
                    self.save(&left)?;
                }
            }
        }
        Ok(())
    }

    /// The layer that is solved after the lowest one so far.
    fn next_after(&self, lowest: Option<usize>) -> usize {
        lowest.map_or(self.game.highest_total(), |total| total.saturating_sub(1))
    }

    /// What is done with a layer that was solved.
    fn take(&mut self, layers: &Layers) -> Result<(), SolveError> {
        let Some(layer) = layers.front() else {
            return Ok(());
        };
        if self.options.check > 0 {
            let checked = self.solver.check(layers, self.options.check);
            self.done.checked += checked.map_err(|wrong| self.wrong(wrong))?;
        }
        let total = layer.index.total;
        if total <= self.file.kept() && !self.file.has(total) {
            self.file.add(layer)?;
        }
        if self.saved.elapsed() >= self.options.checkpoint {
            // Without one the work goes on as well; if there is no room for it when
            // the work is stopped, that is an error.
            let _ = self.save(layers);
        }
        let bytes = |sizes: &[LayerSize]| sizes.iter().map(|size| size.bytes).sum();
        (self.report)(&SolveProgress {
            total,
            done: bytes(&self.sizes[total..]),
            all: bytes(self.sizes),
        });
        Ok(())
    }

    fn wrong(&self, (state, found, expected): Difference) -> SolveError {
        let text = state.text(self.game);
        SolveError::Wrong(text, ExactValue(found), ExactValue(expected))
    }

    /// The layers from which the work goes on. If the checkpoint turns out to be damaged,
    /// it is as if it were not there.
    fn begun(&mut self) -> Result<Layers, SolveError> {
        let saved = SolvedFile::open(&checkpoint_path(self.path));
        self.done.bad_checkpoint = matches!(&saved, Err(SolvedFileError::Damaged { .. }));
        let saved = saved.ok();
        let saved = saved.filter(|saved| saved.game().to_string() == self.game.to_string());
        match self.layers(self.first_needed(saved.as_ref()), saved.as_ref()) {
            Err(SolveError::File(SolvedFileError::Damaged { path, .. })) if path != self.path => {
                self.done.bad_checkpoint = true;
                self.layers(self.first_needed(None), None)
            }
            layers => layers,
        }
    }

    /// The lowest layers that are all in the file or saved beside it. The next layer is
    /// added to the file, so that the file must have those which it keeps.
    fn first_needed(&self, saved: Option<&SolvedFile>) -> Range<usize> {
        let most = self.game.highest_total();
        let needed = |lowest: usize| lowest..(lowest + self.game.most_raised()).min(most + 1);
        let is_held = |total| self.file.has(total) || saved.is_some_and(|saved| saved.has(total));
        let can_begin = |&lowest: &usize| {
            let is_behind = lowest > self.file.kept() || self.file.has(lowest);
            is_behind && needed(lowest).all(is_held)
        };
        (0..=most).find(can_begin).map_or(0..0, needed)
    }

    /// Reads layers from the file, or else from what is saved; fewer if the work is
    /// stopped.
    fn layers(
        &self,
        totals: Range<usize>,
        saved: Option<&SolvedFile>,
    ) -> Result<Layers, SolveError> {
        let mut layers = VecDeque::new();
        for total in totals {
            let index = LayerIndex::new(self.game, self.solver.lattice(), total, &self.jobs);
            let holder = Some(&self.file).filter(|file| file.has(total)).or(saved);
            let (Some(index), Some(file)) = (index, holder) else {
                // Stopped: nothing will be solved.
                break;
            };
            layers.push_back(file.layer(index)?);
        }
        Ok(layers)
    }

    /// Saves the layers that are needed to go on, unless the file has them.
    fn save(&mut self, layers: &Layers) -> Result<(), SolveError> {
        self.saved = Instant::now();
        let needed = layers.iter().take(self.game.most_raised());
        let mut totals = needed.clone().map(|layer: &Layer| layer.index.total);
        if totals.all(|total| self.file.has(total)) {
            drop_checkpoint(self.path, self.game);
            return Ok(());
        }
        // It would be of no use if it survived a power failure and the file did not.
        self.file.sync()?;
        Ok(write_layers(
            &checkpoint_path(self.path),
            self.game,
            needed,
        )?)
    }
}

/// Removes the checkpoint of a file.
fn drop_checkpoint(path: &Path, game: &SmallGame) {
    let path = checkpoint_path(path);
    let saved = SolvedFile::open(&path);
    if saved.is_ok_and(|saved| saved.game().to_string() == game.to_string()) {
        let _ = std::fs::remove_file(path);
    }
}

/// The lowest of some layers.
fn lowest_of(layers: &Layers) -> Option<usize> {
    layers.front().map(|layer| layer.index.total)
}

/// What is known of the levels of layers stays in memory.
fn index_memory(game: &SmallGame, sizes: &[LayerSize]) -> u64 {
    let levels = sizes.iter().map(|size| size.levels).max();
    levels.unwrap_or(0) * LayerIndex::ENTRY * (game.most_raised() as u64 + 1)
}

/// Where layers are worked on that need so many bytes at one time: in memory, or in
/// files if they are too large. `fixed` bytes are in memory in any case.
pub(super) fn choose_room(
    game: &SmallGame,
    need: u64,
    fixed: u64,
    options: &SolveOptions,
    folder: &Path,
) -> Result<Room, SolveError> {
    let memory = options.memory.min(memory::group_left());
    if need <= memory {
        return Ok(Room::Memory);
    }
    let disk = free_disk(folder)?;
    if need > disk {
        return Err(SolveError::TooLarge {
            game: game.to_string(),
            need: byte_text(need),
            memory: byte_text(memory),
            disk: byte_text(disk),
            folder: folder.to_path_buf(),
        });
    }
    if fixed > memory {
        return Err(SolveError::LittleMemory {
            game: game.to_string(),
            need: byte_text(fixed),
            memory: byte_text(memory),
        });
    }
    Ok(Room::Disk(folder.to_path_buf()))
}

/// That the disk of a folder has room for so many bytes more of a file.
pub(super) fn check_disk(
    need: u64,
    folder: &Path,
    options: &SolveOptions,
) -> Result<(), SolveError> {
    let disk = free_disk(folder)?;
    if need > disk {
        return Err(SolveError::FullDisk {
            need: byte_text(need),
            disk: byte_text(disk),
            folder: folder.to_path_buf(),
            advice: if options.force {
                ", or remove the old file, which stays until the new one is whole"
            } else {
                ""
            },
        });
    }
    Ok(())
}

/// The bytes that are free to this user on the disk of a folder.
fn free_disk(folder: &Path) -> io::Result<u64> {
    let found = nix::sys::statvfs::statvfs(folder).map_err(io::Error::from)?;
    Ok(found.blocks_available() as u64 * found.fragment_size() as u64)
}

/// A number of bytes for people.
pub fn byte_text(bytes: u64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")];
    match units.into_iter().find(|(size, _)| bytes >= *size) {
        Some((size, unit)) => format!("{:.1} {unit}", bytes as f64 / size as f64),
        None => format!("{bytes} bytes"),
    }
}
