//! Merges shares of training data from several machines.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::data::{DataHeader, DataReader, DataWriter};
use crate::files::write_whole_with;
use crate::shard::Shard;

/// Separates the settings of the whole run from the shard.
const SHARD: &str = " --shard ";

/// The settings of a share of the run with these settings.
pub fn shard_settings(settings: String, shard: Shard) -> String {
    if shard.is_whole() {
        return settings;
    }
    format!("{settings}{SHARD}{shard}")
}

/// The settings of the whole run, and the shard; `None` if these are not of a share.
pub(super) fn split_settings(settings: &str) -> Option<(&str, Shard)> {
    let (run, shard) = settings.rsplit_once(SHARD)?;
    Some((run, shard.parse().ok()?))
}

/// The result of a merge.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct MergedData {
    /// The records written.
    pub records: u64,
    /// The positions omitted because an earlier block has them.
    pub duplicates: u64,
    /// The number of blocks omitted because an earlier one is missing, by share.
    pub left_out: BTreeMap<String, u64>,
    /// The share that ended first.
    pub shortest: String,
    /// Warnings about the shares, each with its path.
    pub remarks: Vec<String>,
}

/// Merges shares of data of `N`x`N` boards into a new file, block by block, up to the first
/// missing block. The result is the file that one machine would have written. It is written
/// atomically: after an error the old file is unchanged.
///
/// # Errors
/// If a file cannot be read or written, or the shares are not of one run.
pub fn merge_data<const N: usize>(paths: &[PathBuf], out: &Path) -> io::Result<MergedData> {
    let (settings, mut readers) = shares(paths)?;
    let header = DataHeader { size: N, settings };
    let mut merged = MergedData::default();
    let mut read_error = None;
    let written = write_whole_with(out, |file| {
        let mut writer = DataWriter::begin(file, &header)?;
        join::<N>(&mut readers, &mut writer, &mut merged).map_err(|error| match error {
            JoinError::Write(cause) => cause,
            JoinError::Read(cause) => {
                read_error = Some(cause);
                io::ErrorKind::InvalidData.into()
            }
        })?;
        writer.end()
    });
    written.map_err(|cause| read_error.unwrap_or_else(|| named(out, cause)))?;
    for (path, reader) in &readers {
        let named = |remark| format!("{}: {remark}", path.display());
        merged
            .remarks
            .extend(reader.remarks().into_iter().map(named));
    }
    Ok(merged)
}

/// An error in reading a share, with its path, or in writing the new file.
enum JoinError {
    Read(io::Error),
    Write(io::Error),
}

/// Writes the blocks of all shares in turn, up to the first missing one.
fn join<const N: usize>(
    readers: &mut [(PathBuf, DataReader)],
    writer: &mut DataWriter<impl Write>,
    merged: &mut MergedData,
) -> Result<(), JoinError> {
    let mut seen = HashSet::new();
    let count = readers.len();
    'blocks: loop {
        for (number, (path, reader)) in readers.iter_mut().enumerate() {
            let named = |error| JoinError::Read(named(path, error));
            reader.expect_size(N).map_err(named)?;
            let Some(block) = reader.block().map_err(named)? else {
                merged.shortest = share_name(number, count);
                break 'blocks;
            };
            let mut new = Vec::with_capacity(block.len());
            for record in block {
                let position = record.position::<N>().map_err(named)?;
                if seen.insert(position.symmetric_key()) {
                    new.push(record);
                } else {
                    merged.duplicates += 1;
                }
            }
            merged.records += new.len() as u64;
            writer.write(&new).map_err(JoinError::Write)?;
        }
    }
    for (number, (path, reader)) in readers.iter_mut().enumerate() {
        let named = |error| JoinError::Read(named(path, error));
        let mut blocks = 0;
        while reader.block().map_err(named)?.is_some() {
            blocks += 1;
        }
        if blocks > 0 {
            merged.left_out.insert(share_name(number, count), blocks);
        }
    }
    Ok(())
}

fn share_name(number: usize, of: usize) -> String {
    format!("{}/{of}", number + 1)
}

/// The settings of the whole run, and its shares in order.
fn shares(paths: &[PathBuf]) -> io::Result<(String, Vec<(PathBuf, DataReader)>)> {
    let mut readers: BTreeMap<u64, (PathBuf, DataReader)> = BTreeMap::new();
    let mut whole: Option<String> = None;
    for path in paths {
        let named = |error| named(path, error);
        let reader = DataReader::open(path).map_err(named)?;
        let Some((run, shard)) = split_settings(reader.settings()) else {
            let told = "not a share written by `santorini datagen --shard`";
            return Err(named(wrong(told.into())));
        };
        let [number, of] = shard.parts();
        if of != paths.len() as u64 {
            return Err(named(wrong(format!(
                "share {shard}: all {of} shares are needed, not {}",
                paths.len()
            ))));
        }
        match &whole {
            Some(whole) if whole != run => {
                return Err(named(wrong(format!(
                    "started with `{run}`, the first file with `{whole}`"
                ))));
            }
            _ => whole = Some(run.to_string()),
        }
        if readers.insert(number, (path.clone(), reader)).is_some() {
            return Err(named(wrong(format!("share {shard} is given twice"))));
        }
    }
    let readers = readers.into_values().collect();
    Ok((whole.unwrap_or_default(), readers))
}

/// Adds the path of the file to an error.
fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

fn wrong(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}
