//! What commands may write where: nothing of anybody is lost by a name that
//! was mistyped, a link, a device or a second run.

use std::collections::BTreeMap;
use std::fs::{self, File, Permissions};
use std::io::Read;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread::spawn;

use tempfile::TempDir;

use crate::program::{SANTORINI, run, santorini};

/// The settings of a tournament.
const HEADER: &str = concat!(
    r#"{"tournament":{"players":[{"name":"a","command":"./a"},{"name":"b","command":"./b"}],"#,
    r#""rounds":20,"time":1.0,"grace":0.1,"cards":"none","openings":"set-up","seed":1,"#,
    r#""reuse":false,"shard":"1/1","sprt":null}}"#,
    "\n",
);

/// A game of it.
const GAME: &str = concat!(
    r#"{"game":0,"players":["a","b"],"start":{"players":[[[2,3],[4,4]],[[2,5],[3,5]]],"#,
    r#""spaces":[[0,0,0,0,2],[1,1,2,0,0],[1,0,0,3,0],[0,0,3,0,0],[0,0,0,1,4]],"turn":18},"#,
    r#""turns":["c2-c3+c4"],"seconds":[0.1],"winner":0,"ending":"crashed","why":"b: exit code 3"}"#,
    "\n",
);

/// An opening of a book.
const OPENING: &str = "11000/00010/00000/00000/00000 c2c3 b1b3 3\n";

/// Files that are no one's of this program.
const FOREIGN: [(&str, &[u8]); 4] = [
    ("line", b"Dear reader\n"),
    ("lines", b"Dear reader,\nthis is not to be lost.\nYours\n"),
    ("binary", b"\x7fELF\x02\x01\x01\0\0\0"),
    ("json", b"{\"name\":\"somebody's\"}\n{\"more\":[1,2"),
];

/// A file of both.
fn games() -> String {
    [HEADER, GAME].concat()
}

/// A folder with files to read and to endanger.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in FOREIGN {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        fs::write(folder.path().join("games"), games()).unwrap();
        fs::write(folder.path().join("book"), OPENING).unwrap();
        fs::copy("src/eval/network/5x5.bin", folder.path().join("net")).unwrap();
        for name in ["games", "book", "net", "data"] {
            let path = folder.path().join(name);
            if name == "data" {
                fs::write(&path, training_data()).unwrap();
            }
            symlink(name, path.with_extension("link")).unwrap();
            fs::hard_link(&path, path.with_extension("hard")).unwrap();
        }
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `santorini` in the folder; `A` and `B` are two players.
    fn command(&self, words: &str) -> Command {
        let mut command = santorini(&[]);
        command.current_dir(self.0.path()).stdin(Stdio::null());
        for word in shlex::split(words).unwrap() {
            match word.as_str() {
                "A" | "B" => command.arg(format!("{word}={SANTORINI} fake-player random")),
                word => command.arg(word),
            };
        }
        command
    }

    fn run(&self, words: &str) -> Output {
        self.command(words).output().unwrap()
    }

    /// Runs what must succeed.
    fn done(&self, words: &str) -> Output {
        let output = self.run(words);
        assert!(output.status.success(), "{words}: {}", errors(&output));
        output
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// All names in the folder, with what they hold.
    fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let content = |entry: fs::DirEntry| {
            let bytes = fs::read(entry.path()).unwrap_or_default();
            (entry.file_name().into_string().unwrap(), bytes)
        };
        entries.map(|entry| content(entry.unwrap())).collect()
    }

    /// Runs what must be refused, and change nothing.
    fn refused(&self, words: &str, code: i32, told: &str) {
        let before = self.contents();
        let output = self.run(words);
        let text = errors(&output);
        assert_eq!(output.status.code(), Some(code), "{words}: {text}");
        assert!(text.contains(told), "{words}: {text}");
        assert_eq!(text.trim_end().lines().count(), 1, "{words}: {text}");
        assert!(self.contents() == before, "{words}: a file has changed");
    }
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A file of training data: a block with one record.
fn training_data() -> Vec<u8> {
    let record = [0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let rest = [0, 1, 2, 3, 0, 9, 7, 1, 100, 0];
    [b"SANTOD2\x05\x01\0\0\0".as_slice(), &record, &rest].concat()
}

#[test]
fn what_is_read_is_not_overwritten_by_any_name() {
    let folder = Folder::new();
    for (file, commands) in [
        (
            "games",
            &[
                "tournament merge --html FILE games",
                "tournament merge --output FILE games",
                "draw --html FILE games",
                "draw --svg FILE --game 0 games",
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
                "policy --eval net --out FILE",
                "tune --eval net --out FILE",
                "book --eval net --out FILE",
                "placements --eval net --out FILE",
            ],
        ),
        (
            "book",
            &[
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
    // The games get another name than the page.
    folder.done("tournament --rounds 1 --html tournament-1.jsonl A B");
    assert!(folder.read("tournament-1.jsonl").starts_with(b"<!DOCTYPE"));
    assert!(folder.read("tournament-2.jsonl").starts_with(b"{\"tour"));
}

#[test]
fn what_standard_output_goes_to_is_not_overwritten() {
    let folder = Folder::new();
    let page = File::create(folder.path("page")).unwrap();
    let mut command = folder.command("draw --html page games");
    let output = command.stdout(page).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(errors(&output).contains("(it is also standard output)"));
    // And what is read is not written to.
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
        "policy --out FILE",
        "tune --out FILE",
        "book --out FILE",
        "placements --out FILE",
        "lab play --first random --second random --record FILE",
        "lab play --first qlearning:save=FILE --second random",
        "lab experiment fig6 --quick --out .",
        "serve --listen 127.0.0.1:0 --results FILE",
        "serve --listen 127.0.0.1:0 --resume --results FILE",
    ] {
        for (name, _) in FOREIGN {
            // That a file of games is damaged could be nobody's mistake.
            let damaged = words.contains("--resume") && name == "lines";
            let code = if damaged { 1 } else { 2 };
            let told = if words.contains("FILE") {
                name
            } else {
                "is not empty"
            };
            folder.refused(&words.replace("FILE", name), code, told);
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
    // Also of other kinds of this program's own.
    folder.refused("train --out games data", 2, "is not a network");
    folder.refused("draw --svg net games", 2, "is not a picture");
    folder.refused("tournament --output games A B", 2, "--resume goes on");
    folder.refused("serve --results games", 2, "--resume goes on");
    folder.refused("datagen data", 1, "earlier version");
}

#[test]
fn with_force_any_file_is_overwritten() {
    let folder = Folder::new();
    for (words, beginning) in [
        ("draw --svg lines games", "<svg "),
        ("draw --html lines games", "<!doctype"),
        ("tournament merge --html lines games", "<!DOCTYPE"),
        ("tournament merge --output lines games", "{\"tournament\":"),
        (
            "tournament --rounds 1 --output lines A B",
            "{\"tournament\":",
        ),
        (
            "lab play --games 1 --first random --second random --record lines",
            "{\"game\":0,",
        ),
        (
            "lab play --games 1 --first qlearning:episodes=9,save=lines --second random",
            "SANTORINI-Q",
        ),
        (
            "datagen --records 1 --nodes 20 --eval tuned lines",
            "SANTOD3",
        ),
        (
            "tune --nodes 20 --pairs 1 --eval tuned --out lines",
            "# Numbers",
        ),
    ] {
        fs::write(folder.path("lines"), "Dear reader,\nforget it.\n").unwrap();
        folder.done(&format!("{words} --force"));
        let text = folder.read("lines");
        assert!(text.starts_with(beginning.as_bytes()), "{words}");
        assert!(!text.ends_with(b"forget it.\n"), "{words}");
    }
}

#[test]
fn files_of_the_same_kind_are_overwritten() {
    let folder = Folder::new();
    let twice = |words: &str, file: &str| {
        folder.done(words);
        let first = folder.read(file);
        assert!(!first.is_empty(), "{words}");
        folder.done(words);
        assert_eq!(folder.read(file), first, "{words}");
    };
    twice("draw --svg a games", "a");
    twice("draw --turn 18 --svg a games", "a");
    twice("draw --html b games", "b");
    twice("tournament merge --html c games", "c");
    twice("train --epochs 1 --hidden 32 --out d --curve e data", "d");
    twice("train --epochs 1 --hidden 32 --out d --curve e data", "e");
    twice(
        "lab play --games 1 --first qlearning:episodes=9,save=f --second random",
        "f",
    );
    // And one that is empty, as `mktemp` makes it.
    fs::write(folder.path("g"), "").unwrap();
    twice("draw --html g games", "g");
    let words = "tournament --rounds 1 --stderr log A B";
    folder.done(words);
    folder.done(words);
}

#[test]
fn a_file_is_replaced_behind_a_link_and_keeps_its_permissions() {
    let folder = Folder::new();
    fs::write(folder.path("page"), "").unwrap();
    fs::set_permissions(folder.path("page"), Permissions::from_mode(0o640)).unwrap();
    symlink("page", folder.path("link")).unwrap();
    symlink("new", folder.path("dangling")).unwrap();
    folder.done("draw --html link games");
    folder.done("draw --html dangling games");
    folder.done("lab play --games 1 --first qlearning:episodes=9,save=table --second random");
    symlink("table", folder.path("table.link")).unwrap();
    folder.done("lab play --games 1 --first qlearning:episodes=9,save=table.link --second random");
    for name in ["link", "dangling", "table.link"] {
        assert!(folder.path(name).is_symlink(), "{name}");
    }
    let page = folder.read("page");
    assert!(page.starts_with(b"<!doctype html>") && page == folder.read("new"));
    let mode = fs::metadata(folder.path("page")).unwrap().permissions();
    assert_eq!(mode.mode() & 0o777, 0o640);
    // Nobody else may read or write a file that was closed to them.
    fs::set_permissions(folder.path("page"), Permissions::from_mode(0o440)).unwrap();
    if File::options()
        .write(true)
        .open(folder.path("page"))
        .is_err()
    {
        folder.refused("draw --html page games", 1, "ermission denied");
    }
}

#[test]
fn pipes_and_devices_are_written_to_and_stay() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).unwrap();
    symlink("pipe", folder.path("pipe.link")).unwrap();
    for (words, beginning) in [
        (
            "lab play --games 1 --first qlearning:episodes=9,save=pipe.link --second random",
            "SANTORINI-Q",
        ),
        (
            "lab play --games 1 --first random --second random --record pipe",
            "{\"game\":0",
        ),
        ("draw --svg pipe games", "<svg "),
        ("tournament merge --html pipe games", "<!DOCTYPE"),
        ("tournament --rounds 1 --output pipe A B", "{\"tournament\""),
        ("train --epochs 1 --hidden 32 --out pipe data", "SNNU"),
        (
            "datagen --records 1 --nodes 20 --eval tuned pipe",
            "SANTOD3",
        ),
    ] {
        let pipe = pipe.clone();
        let reader = spawn(move || fs::read(pipe).unwrap());
        folder.done(words);
        assert!(folder.path("pipe.link").is_symlink(), "{words}");
        let found = fs::symlink_metadata(folder.path("pipe")).unwrap();
        assert!(found.file_type().is_fifo(), "{words}");
        let read = reader.join().unwrap();
        assert!(read.starts_with(beginning.as_bytes()), "{words}");
    }
    for words in [
        "draw --svg /dev/full games",
        "draw --html /dev/full games",
        "tournament merge --output /dev/full games",
        "serve --listen 127.0.0.1:0 --wait 0.1 --results /dev/null",
    ] {
        let mut child = folder
            .command(words)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        if words.starts_with("serve") {
            let mut told = [0; 32];
            child
                .stderr
                .as_mut()
                .unwrap()
                .read_exact(&mut told)
                .unwrap();
            assert!(told.starts_with(b"santorini: bots connect to "));
            child.kill().unwrap();
            child.wait().unwrap();
        } else {
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(1), "{words}");
            assert!(errors(&output).contains("No space left"), "{words}");
        }
    }
    for name in ["/dev/full", "/dev/null"] {
        assert!(fs::metadata(name).unwrap().file_type().is_char_device());
    }
}

#[test]
fn standard_output_by_its_name_is_added_to() {
    let folder = Folder::new();
    let picture = folder.done("draw --svg - games").stdout;
    let piped = folder.done("draw --svg /dev/stdout games").stdout;
    assert_eq!(piped, picture);
    fs::write(folder.path("out"), "before\n").unwrap();
    let out = File::options()
        .append(true)
        .open(folder.path("out"))
        .unwrap();
    let mut command = folder.command("draw --svg /dev/fd/1 games");
    assert!(command.stdout(out).status().unwrap().success());
    assert_eq!(folder.read("out"), [b"before\n", &picture[..]].concat());
}

#[test]
fn a_failure_leaves_the_old_file() {
    let folder = Folder::new();
    folder.done("draw --html page games");
    folder.done("tournament merge --html report games");
    let game = |number: u32| GAME.replace("\"game\":0", &format!("\"game\":{number}"));
    let many: String = (0..20).map(game).collect();
    fs::write(folder.path("many"), format!("{HEADER}{many}")).unwrap();
    let before = folder.contents();
    for words in [
        "draw --html page games",
        "tournament merge --html report games",
        "tournament merge --output new many",
        "train --epochs 1 --hidden 32 --out new data",
    ] {
        // The system refuses to let files grow beyond half a KiB.
        let script = format!("trap '' XFSZ; ulimit -f 1; exec {SANTORINI} {words}");
        let output = Command::new("sh")
            .args(["-c", &script])
            .current_dir(folder.0.path())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{words}");
        assert!(
            errors(&output).contains("File too large"),
            "{words}: {}",
            errors(&output)
        );
        assert!(folder.contents() == before, "{words}");
    }
}

#[test]
fn runs_at_the_same_time_do_not_spoil_each_others_files() {
    let folder = Folder::new();
    let words = "lab play --games 1 --first qlearning:episodes=2000,save=table --second random";
    let runs: Vec<_> = (0..8)
        .map(|_| {
            folder
                .command(words)
                .stderr(Stdio::piped())
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for run in runs {
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", errors(&output));
    }
    folder.done("lab play --games 1 --first qlearning:load=table --second random");
    let names: Vec<String> = folder.contents().into_keys().collect();
    assert!(
        !names.iter().any(|name| name.contains("unfinished")),
        "{names:?}"
    );
}

#[test]
fn a_missing_file_is_begun_with_resume_and_it_is_said() {
    let folder = Folder::new();
    let output = folder.done("tournament --rounds 1 --resume --output new A B");
    let note = "new does not exist: a new tournament begins";
    assert!(errors(&output).starts_with(&format!("santorini: {note}\n")));
    let mut server = folder
        .command("serve --listen 127.0.0.1:0 --resume --results bots")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut told = vec![0; "santorini: bots does not exist: a new tournament begins\n".len()];
    server
        .stderr
        .as_mut()
        .unwrap()
        .read_exact(&mut told)
        .unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(
        String::from_utf8(told).unwrap().trim_end(),
        format!("santorini: {}", note.replace("new does", "bots does"))
    );
    // A folder that is missing is not made.
    folder.refused("tournament --resume --output no/new A B", 1, "No such file");
    folder.refused("serve --resume --results no/new", 1, "No such file");
}

#[test]
fn data_is_gone_on_with_by_the_same_options_only() {
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
fn a_record_that_was_cut_short_does_not_hide_the_others() {
    let folder = Folder::new();
    for end in ["{\"game\":1,\"pl", "\0\0\0\0", "{\"game\":1,\n"] {
        fs::write(folder.path("cut"), games() + end).unwrap();
        for words in ["draw --html page cut", "draw --svg - cut", "draw cut"] {
            let output = folder.done(words);
            let text = errors(&output);
            assert!(
                text.contains("the last line is damaged and left out"),
                "{words}: {text}"
            );
        }
        assert!(folder.read("page").starts_with(b"<!doctype"));
        fs::remove_file(folder.path("page")).unwrap();
    }
    // Not where it is the whole input, or more follows.
    fs::write(folder.path("cut"), "{\"game\":1,\"pl").unwrap();
    folder.refused("draw --html page cut", 2, "not JSON");
    fs::write(
        folder.path("cut"),
        games() + "{\"game\":1,\"pl\n" + &games(),
    )
    .unwrap();
    folder.refused("draw --html page cut", 2, "not JSON");
}

#[test]
fn a_game_by_hand_is_saved_to_no_file_of_others() {
    let folder = Folder::new();
    let boards = folder.path("boards");
    let game = "b2d2\nb4d4\nsave FILE\n".replace("FILE", boards.to_str().unwrap());
    let play = |arguments: &[&str], input: &str| {
        let output = run(&[&["play"], arguments].concat(), input);
        assert!(output.status.success());
        String::from_utf8(output.stdout).unwrap()
    };
    let new = ["--against", "nobody"];
    assert!(play(&new, &game).contains("wrote 1 boards to"));
    let saved = folder.read("boards");
    // A file of the same kind is replaced.
    assert!(play(&new, &game).contains("wrote 1 boards to"));
    for name in ["line", "games", "net"] {
        let before = folder.read(name);
        let path = folder.path(name);
        let input = game.replace(boards.to_str().unwrap(), path.to_str().unwrap());
        let told = play(&new, &input);
        assert!(
            told.contains("is not a file of the boards of one game"),
            "{told}"
        );
        assert_eq!(folder.read(name), before);
    }
    symlink("boards", folder.path("link")).unwrap();
    let link = folder.path("link");
    let input = format!("save {}\n", boards.display());
    let told = play(&["--from", link.to_str().unwrap(), "--force"], &input);
    assert!(told.contains("is read and would be overwritten"), "{told}");
    assert_eq!(folder.read("boards"), saved);
}
