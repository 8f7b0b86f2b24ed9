//! Commands that are refused and leave all files unchanged.

use std::fs::File;
use std::os::unix::fs::symlink;

use super::{FOREIGN, Folder, errors, games};
use crate::program::{run, success};

#[test]
fn input_files_are_not_overwritten_by_any_name() {
    let folder = Folder::new();
    for (file, commands) in [
        (
            "games",
            &[
                "tournament merge --html FILE games",
                "tournament merge --output FILE games",
                "draw --html FILE games",
                "draw --svg FILE --game 1 games",
                "datagen games --out FILE games",
            ][..],
        ),
        (
            "data",
            &["train --out FILE data", "train --out new --curve FILE data"],
        ),
        (
            "net",
            &[
                "train --start net --out FILE data",
                "datagen --eval net FILE",
                "datagen games --eval net --out FILE games",
                "tune --eval net --out FILE",
                "book --eval net --out FILE",
                "placements --eval net --out FILE",
                "duel --pairs 1 --output FILE '--eval net' ''",
                "duel --pairs 1 --output FILE '' 'new=--eval net'",
                "review --eval net --html FILE games",
            ],
        ),
        (
            "params",
            &[
                "duel --pairs 1 --output FILE '--params params' ''",
                "review --params params --html FILE games",
            ],
        ),
        (
            "book",
            &[
                "duel --pairs 1 --openings book --output FILE '' ''",
                "tune --openings book --out FILE",
                "tournament --openings-file book --output FILE A B",
                "tournament --openings-file book --resume --output FILE A B",
                "tournament --openings-file book --html FILE A B",
                "tournament --openings-file book --stderr FILE A B",
            ],
        ),
    ] {
        for words in commands {
            for name in ["", "./"].map(|folder| format!("{folder}{file}")) {
                for end in ["", ".link", ".hard"] {
                    let words = words.replace("FILE", &format!("{name}{end} --force"));
                    folder.refused(&words, 2, "is read and would be overwritten");
                }
            }
        }
    }
}

#[test]
fn no_file_is_written_twice() {
    let folder = Folder::new();
    for words in [
        "tournament --output new --html ./new A B",
        "tournament --resume --output games --html games.link A B",
        "tournament --resume --output games --stderr games.hard A B",
        "tournament --html new --stderr new A B",
        "tournament merge --output new --html ./new games",
        "train --out new --curve ./new data",
        "lab play --first qlearning:save=new --second qlearning:save=./new",
        "lab play --first qlearning:save=new --second random --record ./new",
    ] {
        folder.refused(&format!("{words} --force"), 2, "would be written twice");
    }
    let loaded = "lab play --first qlearning:save=new --second qlearning:load=./new";
    folder.refused(loaded, 2, "is read and would be overwritten");
    // The games get a different name from the page.
    folder.done("tournament --rounds 1 --html tournament-1.jsonl A B");
    assert!(folder.read("tournament-1.jsonl").starts_with(b"<!DOCTYPE"));
    assert!(folder.read("tournament-2.jsonl").starts_with(b"{\"tour"));
}

#[test]
fn the_file_of_standard_output_is_not_overwritten() {
    let folder = Folder::new();
    let page = File::create(folder.path("page")).unwrap();
    let mut command = folder.command("draw --html page games");
    let output = command.stdout(page).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("(it is also standard output)"));
    // An input file is not written to either.
    let append = || File::options().append(true).open(folder.path("games"));
    let mut command = folder.command("draw games");
    let output = command.stdout(append().unwrap()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", errors(&output));
    assert_eq!(folder.read("games"), games().as_bytes());
    let input = File::open(folder.path("games")).unwrap();
    let mut command = folder.command("draw --html games.hard --force");
    let output = command.stdin(input).output().unwrap();
    assert!(errors(&output).contains("(it is also standard input)"));
    assert_eq!(folder.read("games"), games().as_bytes());
}

#[test]
fn data_that_cannot_be_joined_leaves_the_old_file() {
    let folder = Folder::new();
    let old = folder.read("data");
    std::fs::write(folder.path("joined"), &old).unwrap();
    folder.refused("datagen merge --force --out joined data", 2, "share");
    assert_eq!(folder.read("joined"), old);
}

#[test]
fn files_of_others_are_refused_and_stay() {
    let folder = Folder::new();
    for words in [
        "tournament --html FILE A B",
        "tournament --output FILE A B",
        "tournament --resume --output FILE A B",
        "tournament merge --html FILE games",
        "tournament merge --output FILE games",
        "draw --svg FILE games",
        "draw --html FILE games",
        "train --out FILE data",
        "train --out new --curve FILE data",
        "tune --out FILE",
        "book --out FILE",
        "placements --out FILE",
        "placements --cards --out FILE",
        "lab play --first random --second random --record FILE",
        "lab play --first qlearning:save=FILE --second random",
        "lab experiment fig6 --quick --out .",
        "serve --listen 127.0.0.1:0 --results FILE",
        "serve --listen 127.0.0.1:0 --resume --results FILE",
    ] {
        for (name, _) in FOREIGN {
            let told = if words.contains("FILE") {
                name
            } else {
                "is not empty"
            };
            folder.refused(&words.replace("FILE", name), 2, told);
        }
    }
    for (name, _) in FOREIGN {
        let told = "not a file of training data";
        folder.refused(&format!("datagen {name}"), 1, told);
    }
    for name in ["binary", "json", "games"] {
        for words in ["tournament --stderr", "referee --stderr"] {
            folder.refused(&format!("{words} {name} A B"), 2, "is not a log");
        }
    }
    // Files of another kind of this program are not overwritten either.
    folder.refused("train --out games data", 2, "is not a network");
    folder.refused("draw --svg net games", 2, "is not a picture");
    folder.refused(
        "tournament --output games A B",
        2,
        "resume it with --resume",
    );
    folder.refused("serve --results games", 2, "resume it with --resume");
    folder.refused("datagen data", 1, "earlier version");
}

#[test]
fn training_data_is_resumed_only_with_the_same_options() {
    let folder = Folder::new();
    let options = [
        ("--nodes", "30"),
        ("--seed", "1"),
        ("--leaves", "0.15"),
        ("--random-turns", "4"),
        ("--eval", "tuned"),
    ];
    let words = |records: u32, options: &[(&str, &str)]| {
        let options: Vec<String> = options.iter().map(|(a, b)| format!("{a} {b}")).collect();
        format!("datagen new --records {records} {}", options.join(" "))
    };
    folder.done(&words(20, &options));
    folder.done(&words(400, &options));
    let data = folder.read("new");
    for (index, value) in ["31", "2", "1", "5", "paper"].into_iter().enumerate() {
        let mut others = options;
        others[index].1 = value;
        let told = format!("{} {value}", others[index].0);
        folder.refused(&words(400, &others), 1, &told);
    }
    let same = words(400, &options);
    folder.refused(&format!("{same} --cards"), 1, "--cards");
    folder.refused(&format!("{same} --board 6"), 1, "6x6");
    assert!(folder.read("new") == data);
    folder.done("train --epochs 1 --hidden 32 --out net.new new data");
}

#[test]
fn play_saves_no_game_over_an_existing_file() {
    let folder = Folder::new();
    let boards = folder.path("boards");
    let game = "b2d2\nb4d4\nsave FILE\n".replace("FILE", boards.to_str().unwrap());
    let play =
        |arguments: &[&str], input: &str| success(&run(&[&["play"], arguments].concat(), input));
    let new = ["--against", "nobody"];
    assert!(play(&new, &game).contains("wrote 1 board to"));
    let saved = folder.read("boards");
    // Boards of another session may be somebody's recorded game.
    for name in ["boards", "line", "games", "net"] {
        let before = folder.read(name);
        let path = folder.path(name);
        let input = game.replace(boards.to_str().unwrap(), path.to_str().unwrap());
        let told = play(&new, &input);
        assert!(told.contains("exists; name another file"), "{told}");
        assert_eq!(folder.read(name), before);
    }
    symlink("boards", folder.path("link")).unwrap();
    let link = folder.path("link");
    let input = format!("save {}\n", boards.display());
    let told = play(&["--from", link.to_str().unwrap(), "--force"], &input);
    assert!(told.contains("is read and would be overwritten"), "{told}");
    assert_eq!(folder.read("boards"), saved);
}
