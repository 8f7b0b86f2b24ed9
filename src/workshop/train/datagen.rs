//! Training data from games, block by block into a file that can be continued.
//! Positions equal up to symmetry are recorded once.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::data::{DataHeader, DataWriter, Record, Resumed};
use super::labels::Block;
use crate::jobs::Jobs;

/// Games with labels, in blocks that do not depend on each other.
pub trait GameSource<const N: usize>: Sync {
    /// All that the records depend on, as options.
    fn settings(&self) -> String;

    /// The number of blocks.
    fn blocks(&self) -> u64;

    /// The number of games of a block.
    fn games(&self, block: u64) -> u64;

    /// The records of a block. They do not matter once `stop` is set.
    fn block(&self, index: u64, stop: &AtomicBool) -> Block;
}

/// How a file is made.
#[derive(Clone, Copy, Debug)]
pub struct DatagenOptions {
    /// The number of records after which no more games are taken.
    pub records: u64,
    /// The number of games played at a time.
    pub threads: usize,
    /// Whether a file that exists is overwritten rather than resumed.
    pub overwrite: bool,
}

/// The progress of a generation.
#[derive(Clone, Copy, Default, Debug)]
pub struct DatagenProgress {
    /// The records written so far.
    pub records: u64,
    /// The games played so far.
    pub games: u64,
    /// The positions left out because the file already has them.
    pub duplicates: u64,
    /// The bytes of an incomplete last block, which an earlier run left and this one cuts
    /// off.
    pub incomplete: u64,
    /// Whether all is done.
    pub is_whole: bool,
}

/// Writes the records of games on `N`x`N` boards to a file until there are enough, no
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
    let mut seen = HashSet::new();
    let mut done = DatagenProgress {
        incomplete,
        ..DatagenProgress::default()
    };
    for (index, block) in blocks.iter().enumerate() {
        for record in block {
            seen.insert(record.position::<N>()?.symmetric_key());
        }
        done.records += block.len() as u64;
        done.games += source.games(index as u64);
    }
    let first_block = blocks.len() as u64;
    drop(blocks);
    report(&done);
    let jobs = Jobs {
        threads: options.threads.max(1),
        stop,
    };
    let label = |index| {
        let block = source.block(index, stop);
        // A block made while stopping is not whole.
        (!jobs.is_stopped()).then_some(block)
    };
    done.is_whole = done.records >= options.records || first_block >= source.blocks();
    if done.is_whole {
        return writer.end().map(|()| done);
    }
    let ended = jobs.run(first_block..source.blocks(), label, |index, block| {
        let mut block: Block = block.ok_or(End::Done)?;
        let before = block.len();
        block.retain(|(key, _)| seen.insert(*key));
        done.duplicates += (before - block.len()) as u64;
        done.records += block.len() as u64;
        done.games += source.games(index);
        done.is_whole = done.records >= options.records || index + 1 == source.blocks();
        report(&done);
        let records: Vec<Record> = block.into_iter().map(|(_, record)| record).collect();
        writer.write(&records).map_err(End::Failed)?;
        if done.is_whole {
            return Err(End::Done);
        }
        Ok(())
    });
    match ended {
        Err(End::Failed(error)) => Err(error),
        Ok(()) | Err(End::Done) => writer.end().map(|()| done),
    }
}

/// Why no more blocks are taken.
enum End {
    /// There are enough records, or the work is to stop.
    Done,
    Failed(io::Error),
}
