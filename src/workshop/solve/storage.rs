//! Where solved parts are stored while later parts need them: in memory or on disk.

use std::io;
use std::path::{Path, PathBuf};

use super::bytes::Bytes;
use super::game::SmallGame;
use super::header::{SolvedFileError, io_error};
use super::run::{SolveError, SolveOptions};
use crate::memory;

/// Where parts are stored while later parts need them.
#[derive(Clone, Debug)]
pub enum Storage {
    Memory,
    /// In unnamed temporary files in this folder.
    Disk(PathBuf),
}

impl Storage {
    /// Allocates the bytes of a part.
    ///
    /// # Errors
    /// If there is not enough memory or disk space.
    pub fn bytes(&self, length: u64) -> io::Result<Bytes> {
        match self {
            Self::Memory => Bytes::in_memory(length as usize),
            Self::Disk(folder) => Bytes::on_disk(length as usize, folder),
        }
    }

    /// Chooses memory, or files if `need` bytes do not fit into memory at once. `fixed`
    /// bytes must be in memory either way.
    ///
    /// # Errors
    /// If neither memory nor disk has enough space.
    pub fn choose(
        game: &SmallGame,
        [need, fixed]: [u64; 2],
        options: &SolveOptions,
        folder: &Path,
    ) -> Result<Self, SolveError> {
        let memory = options.memory.min(memory::group_left());
        if need <= memory {
            return Ok(Self::Memory);
        }
        let disk = free_disk(folder)?;
        let allowed = byte_text(memory);
        if need > disk {
            let (need, disk, folder) = (byte_text(need), byte_text(disk), folder.display());
            return Err(SolveError::TooLarge(format!(
                "{game} needs {need} for the layers in use at a time, more than the memory \
                 allowed ({allowed}) and the disk space free in {folder} ({disk})"
            )));
        }
        if fixed > memory {
            let need = byte_text(fixed);
            return Err(SolveError::LittleMemory(format!(
                "{game} needs {need} of memory for the index of its boards even if the layers are \
                 files, more than the {allowed} allowed"
            )));
        }
        Ok(Self::Disk(folder.to_path_buf()))
    }
}

/// Checks that `file` more bytes of the file fit on the disk of a folder, beside `layers`
/// bytes of layers that are files.
///
/// # Errors
/// If they do not fit.
pub(super) fn check_disk(
    file: u64,
    layers: u64,
    folder: &Path,
    options: &SolveOptions,
) -> Result<(), SolveError> {
    let disk = free_disk(folder)?;
    let need = file.saturating_add(layers);
    if need <= disk {
        return Ok(());
    }
    let needs = match layers {
        0 => "the file needs",
        _ => "the file and the layers in use at a time need",
    };
    let beside = match options.force {
        true => " beside the old file, which stays until the new one is whole",
        false => "",
    };
    let (need, disk, folder) = (byte_text(need), byte_text(disk), folder.display());
    Err(SolveError::FullDisk(format!(
        "{needs} {need} more and {folder} has {disk} free{beside}"
    )))
}

/// The free bytes on the disk of a folder, for this user.
fn free_disk(folder: &Path) -> Result<u64, SolvedFileError> {
    fs4::available_space(folder).map_err(|cause| io_error(folder, cause))
}

/// A number of bytes as text with a decimal unit.
pub fn byte_text(bytes: u64) -> String {
    let units = [(1_000_000_000, "GB"), (1_000_000, "MB"), (1000, "kB")];
    match units.into_iter().find(|(size, _)| bytes >= *size) {
        Some((size, unit)) => format!("{:.1} {unit}", bytes as f64 / size as f64),
        None => format!("{bytes} bytes"),
    }
}
