//! A byte order mark, with which some editors begin a file, changes nothing in any command.

use std::fs;
use std::path::Path;

use crate::program::{errors, run};

#[test]
fn a_byte_order_mark_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let marked = folder.path().join("marked");
    let marked = marked.to_str().unwrap();
    let inputs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/outputs/input");
    for (name, words) in [
        ("start.json", &["perft", "1"][..]),
        ("start.json", &["draw"]),
        ("checks.json", &["check"]),
        ("sprt.jsonl", &["tournament", "merge"]),
        ("sprt.jsonl", &["draw", "--turn", "last", "--game", "1"]),
    ] {
        let plain = inputs.join(name);
        let text = fs::read(&plain).unwrap();
        fs::write(marked, [b"\xef\xbb\xbf", &text[..]].concat()).unwrap();
        let [expected, found] =
            [plain.to_str().unwrap(), marked].map(|file| run(&[words, &[file]].concat(), ""));
        let told = errors(&found);
        assert!(found.status.success(), "{words:?}: {told}");
        assert!(!found.stdout.is_empty(), "{words:?}");
        assert_eq!(found.stdout, expected.stdout, "{words:?}");
    }
    let answers = run(&["player", "--level", "1", "--seed", "1"], "\u{feff}[]\n");
    assert!(answers.status.success());
    assert!(answers.stdout.starts_with(b"[[["));
}
