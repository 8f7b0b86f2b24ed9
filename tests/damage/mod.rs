//! Damaged files of every format the program writes and reads. Each goes to the
//! commands that use it. A command must refuse the file and leave it unchanged, report
//! the damage, or give the same result as with the good file. It must never use a
//! damaged file silently.
//!
//! Text files are meant for people to edit and have no checksums, so a changed number
//! cannot be detected. Such a file counts as legal. Game records are replayed by the
//! rules.
//!
//! | what | where |
//! |---|---|
//! | the formats, how a file is made and used | `formats.rs` |
//! | the results of damaged files | `mod.rs` (here) |

mod formats;

use std::collections::BTreeMap;
use std::fs;

use tempfile::TempDir;

use crate::hostile::files::{BYTES, TEXT};
use crate::hostile::mutator::Mutator;
use crate::program::{SANTORINI, errors, santorini_in, stdout};
use formats::{FORMATS, Format};

/// The result of one command with a damaged file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Result {
    /// It failed and left the file unchanged.
    Refused,
    /// It reported the damage.
    Told,
    /// It gave the same result as with the good file.
    Same,
    /// It gave another result with a legal text file.
    Legal,
}

/// A folder with the files of a format.
struct Folder(TempDir);

/// The effects of a command.
struct Done {
    code: Option<i32>,
    /// Without lines that hold times.
    stdout: String,
    stderr: String,
    /// All files in the folder.
    files: BTreeMap<String, Vec<u8>>,
}

impl Folder {
    fn new(format: &Format) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for words in format.made_by {
            let done = folder.run(words);
            assert_eq!(done.code, Some(0), "{words}: {}", done.stderr);
        }
        if let Some(change) = format.changed {
            let path = folder.0.path().join(format.file);
            let bytes = change(fs::read(&path).unwrap_or_default());
            fs::write(path, bytes).unwrap();
        }
        folder
    }

    fn run(&self, words: &str) -> Done {
        let words = words.replace("SANTORINI", SANTORINI);
        let output = santorini_in(self.0.path(), &words).output().unwrap();
        Done {
            code: output.status.code(),
            stdout: without_times(&stdout(&output)),
            stderr: errors(&output),
            files: self.files(),
        }
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let files = entries.map(|entry| entry.unwrap().path());
        let files = files.filter(|path| path.is_file());
        let named = |path: std::path::PathBuf| {
            let name = path.file_name().unwrap().to_str().unwrap().to_string();
            (name, fs::read(path).unwrap())
        };
        files.map(named).collect()
    }

    /// Restores the folder to exactly these files.
    fn restore(&self, files: &BTreeMap<String, Vec<u8>>) {
        for name in self.files().into_keys() {
            if !files.contains_key(&name) {
                fs::remove_file(self.0.path().join(name)).unwrap();
            }
        }
        for (name, bytes) in files {
            fs::write(self.0.path().join(name), bytes).unwrap();
        }
    }
}

/// A text without lines that hold times.
fn without_times(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains(" mean "));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Damages `files` files, each format equally often, and runs their commands.
pub fn damage(files: u64, seed: u64) {
    let each = files.div_ceil(FORMATS.len() as u64);
    let mut damaged = 0;
    for (index, format) in FORMATS.iter().enumerate() {
        let tally = damage_format(format, each, seed + index as u64);
        damaged += each;
        println!("{}: {each} damaged files: {tally:?}", format.name);
    }
    println!("{damaged} damaged files, none used silently");
}

fn damage_format(format: &Format, count: u64, seed: u64) -> BTreeMap<Result, u64> {
    let folder = Folder::new(format);
    let good = folder.files();
    let expected: Vec<Done> = format
        .used_by
        .iter()
        .map(|words| {
            folder.restore(&good);
            let done = folder.run(words);
            assert_eq!(done.code, Some(0), "{words}: {}", done.stderr);
            done
        })
        .collect();
    let mut mutator = Mutator::new(seed, if format.is_text { TEXT } else { BYTES });
    let mut tally = BTreeMap::new();
    for _ in 0..count {
        let mut files = good.clone();
        let whole = &good[format.file];
        let damaged = loop {
            let mut bytes = whole.clone();
            mutator.corrupt(&mut bytes, whole);
            if bytes != *whole {
                break bytes;
            }
        };
        files.insert(format.file.into(), damaged);
        for (words, expected) in format.used_by.iter().zip(&expected) {
            folder.restore(&files);
            let done = folder.run(words);
            let result = judge(format, &files, expected, &done).unwrap_or_else(|what| {
                let kept = std::env::temp_dir().join("damaged-file");
                fs::write(&kept, &files[format.file]).unwrap();
                panic!(
                    "{}: santorini {words}: {what}\ncode {:?}\n{}\nthe file is in {}",
                    format.name,
                    done.code,
                    done.stderr,
                    kept.display()
                )
            });
            *tally.entry(result).or_default() += 1;
        }
    }
    tally
}

/// Judges the effects of a command. The error says what is wrong with them.
fn judge(
    format: &Format,
    before: &BTreeMap<String, Vec<u8>>,
    expected: &Done,
    done: &Done,
) -> std::result::Result<Result, &'static str> {
    if done.stderr.contains("panicked") {
        return Err("it panics");
    }
    match done.code {
        Some(1 | 2) if done.stderr.is_empty() => Err("it fails without a word"),
        Some(1 | 2) if done.files[format.file] != before[format.file] => {
            Err("it refuses the file and has changed it")
        }
        Some(1 | 2) => Ok(Result::Refused),
        Some(0) => {
            let is_same = format.results.iter().all(|&result| match result {
                "" => done.stdout == expected.stdout,
                name => done.files.get(name) == expected.files.get(name),
            });
            let is_told = done.stderr != expected.stderr;
            match (is_same, is_told, format.is_text) {
                (true, false, _) => Ok(Result::Same),
                (_, true, _) => Ok(Result::Told),
                (false, false, true) => Ok(Result::Legal),
                (false, false, false) => Err("it uses the damaged file silently"),
            }
        }
        _ => Err("it ends with an unexpected exit code or by a signal"),
    }
}
