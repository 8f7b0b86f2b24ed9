//! Training data: made, resumed, merged, and from recorded games.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

use santorini::jobs::NEVER;
use santorini::train::datagen::generate;
use santorini::train::merge::merge_data;
use santorini::train::self_play::SelfPlay;

use super::{options, positions, run_in, self_play, write};
use crate::program::{SANTORINI, errors, santorini, santorini_in};

#[test]
fn data_is_the_same_for_any_threads_and_after_an_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let pieces = folder.path().join("pieces");
    let games = SelfPlay {
        cards: true,
        ..self_play()
    };
    let progress = generate::<5>(&games, &options(3000, 2), &whole, &NEVER, |_| {}).unwrap();
    assert!(progress.records >= 3000 && progress.is_whole);

    let stop = AtomicBool::new(false);
    let progress = generate::<5>(&games, &options(3000, 1), &pieces, &stop, |progress| {
        stop.store(progress.records > 0, Ordering::Relaxed);
    });
    assert!(!progress.unwrap().is_whole);
    let first = fs::read(&pieces).unwrap();
    generate::<5>(&games, &options(3000, 1), &pieces, &NEVER, |_| {}).unwrap();
    let (whole, pieces) = (fs::read(whole).unwrap(), fs::read(pieces).unwrap());
    let first = without_end_mark(&first);
    assert!(first.len() < whole.len() && whole.starts_with(first));
    assert_eq!(whole, pieces);
}

/// A file of training data up to its end mark: a number and a checksum.
fn without_end_mark(file: &[u8]) -> &[u8] {
    &file[..file.len() - 12]
}

#[test]
fn merged_shares_equal_the_data_of_one_machine() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let make = |records, shard: &str, name: &str| {
        let games = SelfPlay {
            shard: shard.parse().unwrap(),
            ..self_play()
        };
        write(&games, records, &path(name))
    };
    let whole = make(9000, "1/1", "whole");
    // The second share ends before the others.
    make(4500, "1/3", "one");
    make(800, "2/3", "two");
    make(4500, "3/3", "three");
    let shares = ["three", "one", "two"].map(path);
    let merged = merge_data::<5>(&shares, &path("merged")).unwrap();
    let [whole_file, merged_file] = ["whole", "merged"].map(|name| fs::read(path(name)).unwrap());
    assert!(merged_file.len() > 20_000 && whole_file.starts_with(without_end_mark(&merged_file)));
    assert!(merged.records < whole.records);
    assert_eq!(merged.shortest, "2/3");
    assert!(merged.left_out["3/3"] > 0 && !merged.left_out.contains_key("2/3"));
    // It resumes as data of one machine.
    make(9000, "1/1", "merged");
    assert_eq!(fs::read(path("merged")).unwrap(), whole_file);

    // The error names a damaged share; no file is left behind.
    fs::remove_file(path("merged")).unwrap();
    let mut bytes = fs::read(&shares[1]).unwrap();
    bytes[500..900].fill(0xff);
    fs::write(path("damaged"), bytes).unwrap();
    let words = "datagen merge --out merged damaged three two";
    let output = santorini_in(folder.path(), words).output().unwrap();
    let told = errors(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("damaged: damaged training data"), "{told}");
    let left = fs::read_dir(folder.path()).unwrap();
    let mut names = left.map(|it| it.unwrap().file_name().into_string().unwrap());
    assert!(names.all(|name| name != "merged" && !name.ends_with("unfinished")));

    let refused = |paths: &[&str]| {
        let paths: Vec<_> = paths.iter().map(|name| path(name)).collect();
        merge_data::<5>(&paths, &path("no"))
            .unwrap_err()
            .to_string()
    };
    assert!(refused(&["one", "two"]).contains("share 1/3: all 3 shares are needed, not 2"));
    assert!(refused(&["one", "two", "one"]).contains("one: share 1/3 is given twice"));
    assert!(refused(&["whole", "two", "one"]).contains("whole: not a share"));
    assert!(!path("no").exists());
}

#[test]
fn recorded_games_of_any_player_become_training_data() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let random = format!("{SANTORINI} fake-player random");
    let play = |output: &str, more: &[&str]| {
        let words = [&["tournament", "--rounds", "20", "--output", output], more].concat();
        let words = [&words[..], &[&random, &random]].concat();
        let ended = santorini(&words).current_dir(folder.path()).output();
        assert!(ended.unwrap().status.success());
    };
    play("games", &["--openings", "3"]);
    let words = "datagen games --eval tuned --nodes 100 games";
    for (name, threads) in [("one", 1), ("two", 2)] {
        let words = format!("{words} --threads {threads} --out {name}");
        let (done, told) = run_in(&folder, &words);
        assert!(done && told.contains(" of 40 games in "), "{told}");
    }
    let whole = fs::read(path("one")).unwrap();
    assert_eq!(fs::read(path("two")).unwrap(), whole);
    let known = positions(&path("one"));
    assert!(known.len() > 100, "{}", known.len());
    assert!(known.iter().any(|it| it.wins.is_some()));

    // A truncated file is completed, but only from the same games.
    fs::write(path("two"), &whole[..whole.len() - 40]).unwrap();
    let (done, told) = run_in(&folder, &format!("{words} --out two"));
    assert!(done, "{told}");
    assert_eq!(fs::read(path("two")).unwrap(), whole);
    play("others", &["--seed", "2", "--openings", "3"]);
    let (done, told) = run_in(&folder, &format!("{words} others --out two"));
    assert!(!done && told.contains("of 80 games"), "{told}");
    let (done, told) = run_in(&folder, "train --epochs 1 --out net one");
    assert!(done, "{told}");

    play("carded", &["--cards", "Pan", "Atlas"]);
    let (done, told) = run_in(&folder, &format!("{words} carded --out three"));
    assert!(
        !done && told.contains("carded, game 1: some games have cards, others do not"),
        "{told}"
    );
    fs::write(path("empty"), "").unwrap();
    let (done, told) = run_in(&folder, "datagen games empty --out three");
    assert!(!done && told.contains("there is no game"), "{told}");
    assert!(!path("three").exists());
}
