//! The rules of writing files: no data is lost by a mistyped name, a link, a device or
//! a second run.
//!
//! | tested | where |
//! |---|---|
//! | what is refused | `refused.rs` |
//! | which files `merge` accepts together | `merge.rs` |
//! | what is written, and how | `written.rs` |
//! | pipes without a reader or writer, and files that must be regular | `pipes.rs` |

mod merge;
mod pipes;
mod refused;
mod written;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use santorini::eval::network::Network;
use tempfile::TempDir;

use crate::place::fake;
use crate::program::{errors, santorini};

/// The settings of a tournament.
const HEADER: &str = concat!(
    r#"{"tournament":{"players":[{"name":"a","command":"./a"},{"name":"b","command":"./b"}],"#,
    r#""rounds":20,"time":1.0,"grace":0.1,"cards":"none","openings":"set-up","seed":1,"#,
    r#""reuse":false,"shard":"1/1","sprt":null}}"#,
    "\n",
);

/// A game of the tournament.
const GAME: &str = concat!(
    r#"{"game":0,"players":["a","b"],"start":{"players":[[[2,3],[4,4]],[[2,5],[3,5]]],"#,
    r#""spaces":[[0,0,0,0,2],[1,1,2,0,0],[1,0,0,3,0],[0,0,3,0,0],[0,0,0,1,4]],"turn":18},"#,
    r#""turns":["c2-c3+c4"],"seconds":[0.1],"winner":0,"ending":"crashed","why":"b: exit code 3"}"#,
    "\n",
);

/// An opening of a book.
const OPENING: &str = "11000/00010/00000/00000/00000 c2c3 b1b3 3\n";

/// A parameter of the search.
const PARAMS: &str = "reverse_futility_margin 100\n";

/// Files that this program did not write.
const FOREIGN: [(&str, &[u8]); 4] = [
    ("line", b"Dear reader\n"),
    ("lines", b"Dear reader,\nthis is not to be lost.\nYours\n"),
    ("binary", b"\x7fELF\x02\x01\x01\0\0\0"),
    ("json", b"{\"name\":\"somebody's\"}\n{\"more\":[1,2"),
];

/// A tournament file: settings and one game.
fn games() -> String {
    [HEADER, GAME].concat()
}

/// A folder with input files and files that could be overwritten.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in FOREIGN {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        fs::write(folder.path().join("games"), games()).unwrap();
        fs::write(folder.path().join("book"), OPENING).unwrap();
        fs::write(folder.path().join("params"), PARAMS).unwrap();
        // The built-in network, with a checksum as `santorini train` writes it.
        let built_in = fs::read("src/engine/eval/network/5x5.bin").unwrap();
        let network = Network::<5>::from_bytes(&built_in).unwrap();
        fs::write(folder.path().join("net"), network.to_bytes()).unwrap();
        for name in ["games", "book", "params", "net", "data"] {
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
                "A" | "B" => command.arg(fake(&word, "random")),
                word => command.arg(word),
            };
        }
        command
    }

    fn run(&self, words: &str) -> Output {
        self.command(words).output().unwrap()
    }

    /// Runs a command that must succeed.
    fn done(&self, words: &str) -> Output {
        let output = self.run(words);
        assert!(output.status.success(), "{words}: {}", errors(&output));
        output
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The files in the folder, by name, with their contents.
    fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let content = |entry: fs::DirEntry| {
            let bytes = fs::read(entry.path()).unwrap_or_default();
            (entry.file_name().into_string().unwrap(), bytes)
        };
        entries.map(|entry| content(entry.unwrap())).collect()
    }

    /// Runs a command that must fail and change nothing.
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

/// A file of training data: a block with one record.
fn training_data() -> Vec<u8> {
    let record = [0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let rest = [0, 1, 2, 3, 0, 9, 7, 1, 100, 0];
    [b"SANTOD3\x05\0\0\x01\0\0\0".as_slice(), &record, &rest].concat()
}
