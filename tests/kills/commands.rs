//! All other commands that write files. Those that resume end with the same file as
//! without kills. The others leave the old file or the complete new one at any time.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::program::{errors, santorini_in};

/// A command and the file it writes.
struct Written {
    words: &'static str,
    file: &'static str,
    /// Whether the file is also written during the work, so that a kill may leave a part of it.
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
    grown(
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

/// Kills commands this many times in total, each equally often.
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
            remove(place.path(), command.file);
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

fn done(folder: &Path, words: &str) {
    let output = santorini_in(folder, words).output().unwrap();
    assert!(output.status.success(), "{words}: {}", errors(&output));
}

/// Runs a command and kills it after a time. Returns false if it ended before.
fn kill(folder: &Path, words: &str, time: Duration) -> bool {
    let mut command = santorini_in(folder, words);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    sleep(time);
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    match output.status.code() {
        None => true,
        Some(0) => false,
        Some(code) => panic!("{words}: exit code {code}: {}", errors(&output)),
    }
}

/// Removes a file, or the folder that it is in.
fn remove(folder: &Path, file: &str) {
    match file.split_once('/') {
        Some((inner, _)) => fs::remove_dir_all(folder.join(inner)).unwrap(),
        None => fs::remove_file(folder.join(file)).unwrap(),
    }
}

/// The unfinished files that are left in a folder after a command that removes old ones.
fn unfinished(folder: &Path) -> Vec<String> {
    let names = || -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        let names = entries.map(|entry| entry.file_name().into_string().unwrap());
        names
            .filter(|name| name.starts_with(".santorini-"))
            .collect()
    };
    let an_hour_ago = SystemTime::now() - Duration::from_secs(3600);
    for name in names() {
        let file = fs::File::options().write(true).open(folder.join(name));
        file.unwrap().set_modified(an_hour_ago).unwrap();
    }
    done(folder, "draw --html other.html games");
    fs::remove_file(folder.join("other.html")).unwrap();
    names()
}
