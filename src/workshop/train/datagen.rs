//! Writes training data from games, block by block, to a file that can be resumed.
//! Positions equal up to symmetry are recorded once.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::data::{DataHeader, DataWriter, Record, Resumed};
use super::labels::Block;
use crate::jobs::Jobs;

/// A source of labelled games, in independent blocks.
pub trait GameSource<const N: usize>: Sync {
    /// All settings that the records depend on, as command-line options.
    fn settings(&self) -> String;

    /// The number of blocks.
    fn blocks(&self) -> u64;

    /// The number of games of a block.
    fn games(&self, block: u64) -> u64;

    /// The records of a block. If `stop` is set meanwhile, they may be incomplete and are
    /// ignored.
    fn block(&self, index: u64, stop: &AtomicBool) -> Block;
}

/// The options of a generation.
#[derive(Clone, Copy, Debug)]
pub struct DatagenOptions {
    /// Stop after this many records.
    pub records: u64,
    /// The number of games played at a time.
    pub threads: usize,
    /// Whether to overwrite an existing file instead of resuming it.
    pub overwrite: bool,
}

/// The progress of a generation.
#[derive(Clone, Copy, Default, Debug)]
pub struct DatagenProgress {
    /// The records written so far.
    pub records: u64,
    /// The games played so far.
    pub games: u64,
    /// The positions that this run left out because the file already has them.
    pub duplicates: u64,
    /// The bytes of an incomplete last block, left by an earlier run and cut off by this
    /// one.
    pub incomplete: u64,
    /// Whether the generation is complete.
    pub is_whole: bool,
}

/// Writes the records of games on `N`x`N` boards to a file, until there are enough, no
/// games are left or `stop` is set. Resumes an earlier run with the same settings. The
/// records do not depend on the number of threads.
///
/// # Errors
/// If the file cannot be read or written, or belongs to a run with other
/// settings.
pub fn generate<const N: usize>(
    source: &impl GameSource<N>,
    options: &DatagenOptions,
    path: &Path,
    stop: &AtomicBool,
    mut report: impl FnMut(&DatagenProgress),
) -> io::Result<DatagenProgress> {
    let header = DataHeader {
        size: N,
        settings: source.settings(),
    };
    let Resumed {
        mut writer,
        blocks,
        incomplete,
    } = match options.overwrite {
        true => DataWriter::overwrite(path, &header)?.into(),
        false => DataWriter::resume(path, &header)?,
    };
    let (mut seen, mut done) = earlier_blocks(source, &blocks)?;
    let first = blocks.len() as u64;
    drop(blocks);
    done.incomplete = incomplete;
    report(&done);
    let is_enough = |records, blocks| records >= options.records || blocks >= source.blocks();
    done.is_whole = is_enough(done.records, first);
    let last = if done.is_whole {
        first
    } else {
        source.blocks()
    };
    let jobs = Jobs {
        threads: options.threads.max(1),
        stop,
    };
    let label = |index| source.block(index, stop);
    // An error without a cause ends the jobs when there are enough records.
    let ended = jobs.run_whole(first..last, label, |index, mut block| {
        let before = block.len();
        block.retain(|(key, _)| seen.insert(*key));
        done.duplicates += (before - block.len()) as u64;
        done.records += block.len() as u64;
        done.games += source.games(index);
        done.is_whole = is_enough(done.records, index + 1);
        let records: Vec<Record> = block.into_iter().map(|(_, record)| record).collect();
        writer.write(&records).map_err(Some)?;
        report(&done);
        match done.is_whole {
            true => Err(None),
            false => Ok(()),
        }
    });
    if let Err(Some(error)) = ended {
        return Err(error);
    }
    writer.end()?;
    Ok(done)
}

/// The keys of the positions in the blocks of an earlier run, and the progress of that run.
fn earlier_blocks<const N: usize>(
    source: &impl GameSource<N>,
    blocks: &[Vec<Record>],
) -> io::Result<(HashSet<u64>, DatagenProgress)> {
    let mut seen = HashSet::new();
    let mut done = DatagenProgress::default();
    for (index, block) in (0..).zip(blocks) {
        for record in block {
            seen.insert(record.position::<N>()?.symmetric_key());
        }
        done.records += block.len() as u64;
        done.games += source.games(index);
    }
    Ok((seen, done))
}
