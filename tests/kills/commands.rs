//! All other commands that write files. Those that resume end with the same file as
//! without kills. The others leave the old file or the complete new one at any time.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::program::santorini;

/// A command and the file it writes.
struct Written {
    words: &'static str,
    file: &'static str,
    /// Whether the file grows, so that a part of it may exist.
    grows: bool,
}

const fn grown(words: &'static str, file: &'static str) -> Written {
    let grows = true;
    Written { words, file, grows }
}

const fn whole(words: &'static str, file: &'static str) -> Written {
    let grows = false;
    Written { words, file, grows }
}

/// Creates the input of the commands.
const MADE_BEFORE: [&str; 3] = [
    "datagen --records 500 --nodes 20 --eval tuned --threads 1 --shard 1/2 one",
    "datagen --records 500 --nodes 20 --eval tuned --threads 1 --shard 2/2 two",
    "lab play --games 20 --first random --second random --record games",
];

const COMMANDS: [Written; 13] = [
    grown(
        "datagen --records 1500 --nodes 20 --eval tuned --threads 1 data",
        "data",
    ),
    grown(
        "datagen games --nodes 20 --eval tuned --threads 1 --out searched games",
        "searched",
    ),
    whole("datagen merge --force --out merged one two", "merged"),
    whole(
        "train --epochs 2 --hidden 32 --threads 1 --out net --curve curve.svg one",
        "net",
    ),
    grown("solve --board 2x3 --workers 1 --threads 1 solved", "solved"),
    grown(
        "solve --board 2x3 --workers 1 --cards Pan Atlas --threads 1 cards",
        "cards",
    ),
    whole(
        "solve --force --board 2x3 --workers 1 --threads 1 forced",
        "forced",
    ),
    grown(
        "solve --winners --board 2x3 --workers 1 --threads 1 winners",
        "winners",
    ),
    grown(
        "tune --nodes 20 --pairs 16 --eval tuned --threads 1 --out params",
        "params",
    ),
    whole(
        "duel --pairs 10 --nodes 20 --jobs 1 --output duel 'a=--eval tuned --hash 1' 'b=--eval paper --hash 1'",
        "duel",
    ),
    whole(
        "lab play --games 1 --first qlearning:episodes=2000,save=table --second random",
        "table",
    ),
    whole("draw --html page games", "page"),
    grown(
        "lab experiment fig3 --quick --jobs 1 --out study",
        "study/fig3.jsonl",
    ),
];

/// Kills commands this often in all, each equally often.
pub fn survive(kills: u32, seed: u64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let each = kills.div_ceil(COMMANDS.len() as u32);
    let place = tempfile::tempdir().unwrap();
    for words in MADE_BEFORE {
        done(place.path(), words);
    }
    for command in &COMMANDS {
        let begun = Instant::now();
        done(place.path(), command.words);
        let usual = begun.elapsed();
        let undisturbed = fs::read(place.path().join(command.file)).unwrap();
        let (mut killed, mut finished) = (0, 0);
        while killed < each {
            forget(place.path(), command.file);
            while killed < each
                && kill(
                    place.path(),
                    command.words,
                    rng.random_range(Duration::ZERO..usual),
                )
            {
                killed += 1;
                let found = fs::read(place.path().join(command.file)).ok();
                let is_right = command.grows || found.is_none_or(|found| found == undisturbed);
                assert!(is_right, "{}: half of a file", command.words);
            }
            done(place.path(), command.words);
            finished += 1;
            let found = fs::read(place.path().join(command.file)).unwrap();
            assert!(found == undisturbed, "{}: another file", command.words);
        }
        println!(
            "{}: {killed} kills until {finished} were finished",
            command.words
        );
    }
    assert_eq!(unfinished(place.path()), Vec::<String>::new());
}

fn command(folder: &Path, words: &str) -> Command {
    let words = shlex::split(words).unwrap();
    let mut command = santorini(&words.iter().map(String::as_str).collect::<Vec<_>>());
    command
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    command
}

fn done(folder: &Path, words: &str) {
    let output = command(folder, words).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words}: {text}");
}

/// Runs a command and kills it after a time. Returns false if it ended before.
fn kill(folder: &Path, words: &str, time: Duration) -> bool {
    let mut child = command(folder, words).spawn().unwrap();
    sleep(time);
    child.kill().unwrap();
    let Output { status, stderr, .. } = child.wait_with_output().unwrap();
    match status.code() {
        None => true,
        Some(0) => false,
        Some(code) => panic!(
            "{words}: exit code {code}: {}",
            String::from_utf8_lossy(&stderr)
        ),
    }
}

/// Removes a file and its folder.
fn forget(folder: &Path, file: &str) {
    match file.split_once('/') {
        Some((inner, _)) => fs::remove_dir_all(folder.join(inner)).unwrap(),
        None => fs::remove_file(folder.join(file)).unwrap(),
    }
}

/// The names of abandoned unfinished files in a folder. Once they are old enough, the
/// next program removes them.
fn unfinished(folder: &Path) -> Vec<String> {
    let names = || -> BTreeMap<String, fs::File> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let hidden = entries.filter(|entry| {
            entry
                .file_name()
                .to_str()
                .unwrap()
                .starts_with(".santorini-")
        });
        let opened = hidden.map(|entry| {
            let file = fs::File::options().write(true).open(entry.path()).unwrap();
            (entry.file_name().into_string().unwrap(), file)
        });
        opened.collect()
    };
    let hour = Duration::from_secs(3600);
    for file in names().values() {
        file.set_modified(std::time::SystemTime::now() - hour)
            .unwrap();
    }
    done(folder, "draw --html other.html games");
    fs::remove_file(folder.join("other.html")).unwrap();
    names().into_keys().collect()
}
