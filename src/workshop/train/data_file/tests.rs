//! Files of training data: earlier versions, damage and truncation.

use std::fs;
use std::io;
use std::path::Path;

use super::*;
use crate::rules::Position;
use crate::train::data::Record;

fn record(score: i32) -> Record {
    let text = "01010/10000/01012/11140/11310 e2c5 a3b5 12";
    let position: Position<5> = text.parse().unwrap();
    Record::new(&position, score).with_result(true, 7)
}

fn header(size: usize, settings: &str) -> DataHeader {
    DataHeader {
        size,
        settings: settings.into(),
    }
}

/// A file of three blocks, the second one empty, and its path.
fn written(folder: &tempfile::TempDir, ended: bool) -> (std::path::PathBuf, Vec<u8>) {
    let path = folder.path().join("data");
    let mut writer = DataWriter::overwrite(&path, &header(5, "--seed 1")).unwrap();
    for block in [&[record(1), record(2)][..], &[], &[record(3)]] {
        writer.write(block).unwrap();
    }
    if ended {
        writer.end().unwrap();
    }
    drop(writer);
    let bytes = fs::read(&path).unwrap();
    (path, bytes)
}

fn resume(path: &Path) -> io::Result<Resumed> {
    DataWriter::resume(path, &header(5, "--seed 1"))
}

fn all(path: &Path) -> io::Result<(Vec<Vec<Record>>, Option<DataEnd>)> {
    let mut reader = DataReader::open(path)?;
    let mut blocks = Vec::new();
    while let Some(block) = reader.block()? {
        blocks.push(block);
    }
    Ok((blocks, reader.ending()))
}

#[test]
fn a_file_is_for_one_size_of_board_and_one_kind_of_games() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bytes) = written(&folder, true);
    let first = resume(&path).unwrap();
    let second = resume(&path).err().unwrap();
    assert_eq!(second.kind(), io::ErrorKind::ResourceBusy);
    drop(first);
    assert_eq!(DataReader::open(&path).unwrap().size(), 5);
    for (other, told) in [
        (header(6, "--seed 1"), ["6x6", "5x5"]),
        (header(5, "--seed 2"), ["`--seed 1`", "`--seed 2`"]),
    ] {
        let error = DataWriter::resume(&path, &other).err().unwrap().to_string();
        assert!(told.iter().all(|text| error.contains(text)), "{error}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    for (old, told) in [
        ("SANTOD01", "not a file"),
        ("SANTOD2\x05", "no longer read"),
    ] {
        fs::write(&path, old).unwrap();
        let error = DataReader::open(&path).err().unwrap().to_string();
        assert!(error.contains(told), "{error}");
    }
    drop(DataWriter::overwrite(&path, &header(6, "")).unwrap());
    assert_eq!(DataReader::open(&path).unwrap().size(), 6);
}

#[test]
fn files_of_earlier_versions_are_read_but_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    let block = [&1_u32.to_le_bytes()[..], bytemuck::bytes_of(&record(1))].concat();
    let before = [b"SANTOD3\x05\x08\x00--seed 1", &block[..]].concat();
    fs::write(&path, &before).unwrap();
    let mut reader = DataReader::open(&path).unwrap();
    assert_eq!(reader.block().unwrap().unwrap(), [record(1)]);
    assert_eq!(reader.block().unwrap(), None);
    let remarks = reader.remarks();
    assert!(
        remarks.len() == 1 && remarks[0].contains("without checksums"),
        "{remarks:?}"
    );
    let error = resume(&path).err().unwrap().to_string();
    assert!(error.contains("earlier version"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
    // A level where there is no space, a card and a result that do not exist.
    for (at, byte) in [(16, 0x10), (6, 9), (3, 3)] {
        let mut bytes = before.clone();
        let at = bytes.len() - at;
        bytes[at] = byte;
        fs::write(&path, &bytes).unwrap();
        assert!(all(&path).is_err(), "{at}");
    }
}

#[test]
fn every_flipped_bit_is_detected_and_nothing_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let (path, good) = written(&folder, true);
    for bit in 0..8 * good.len() {
        let mut bytes = good.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &bytes).unwrap();
        assert!(all(&path).is_err(), "bit {bit}");
        assert!(resume(&path).is_err(), "bit {bit}");
        assert!(fs::read(&path).unwrap() == bytes, "bit {bit}");
    }
    fs::write(&path, [&good[..], b"x"].concat()).unwrap();
    assert!(all(&path).is_err());
}

#[test]
fn missing_and_moved_blocks_are_detected() {
    let folder = tempfile::tempdir().unwrap();
    let (path, good) = written(&folder, true);
    let begin = header(5, "--seed 1").to_bytes().0.len();
    let first = 4 + SUM + 2 * size_of::<Record>() + SUM;
    let (head, rest) = good.split_at(begin);
    let (first, rest) = rest.split_at(first);
    for bytes in [
        [head, rest].concat(),
        [head, first, first, rest].concat(),
        [head, &rest[..20], first, &rest[20..]].concat(),
    ] {
        fs::write(&path, bytes).unwrap();
        assert!(all(&path).is_err());
    }
}

#[test]
fn an_incomplete_block_is_reported_and_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (path, good) = written(&folder, false);
    let (_, whole) = written(&folder, true);
    let last = 4 + SUM + size_of::<Record>() + SUM;
    for cut in 0..last {
        let bytes = &good[..good.len() - cut];
        fs::write(&path, bytes).unwrap();
        let (blocks, ending) = all(&path).unwrap();
        let kept = if cut == 0 { 3 } else { 2 };
        let incomplete = if cut == 0 { 0 } else { (last - cut) as u64 };
        assert_eq!(blocks.len(), kept);
        assert_ne!(ending, Some(DataEnd::Marked));
        let mut resumed = resume(&path).unwrap();
        assert_eq!(resumed.incomplete, incomplete, "{cut}");
        assert_eq!(resumed.blocks, blocks);
        assert!(fs::read(&path).unwrap() == bytes, "nothing is written yet");
        if cut > 0 {
            resumed.writer.write(&[record(3)]).unwrap();
        }
        resumed.writer.end().unwrap();
        assert!(fs::read(&path).unwrap() == whole, "{cut}");
    }
}

#[test]
fn an_end_mark_is_replaced_by_more_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let (path, good) = written(&folder, true);
    let mut resumed = resume(&path).unwrap();
    resumed.writer.end().unwrap();
    assert!(fs::read(&path).unwrap() == good);
    resumed.writer.write(&[record(4)]).unwrap();
    resumed.writer.end().unwrap();
    drop(resumed);
    let (blocks, ending) = all(&path).unwrap();
    assert_eq!((blocks.len(), ending), (4, Some(DataEnd::Marked)));
}
