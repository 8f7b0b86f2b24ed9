//! Which files `santorini merge` accepts together.

use std::fs;

use super::*;

/// A folder with both shares of a duel, of training data and of a tuning.
fn shares() -> Folder {
    let folder = Folder::new();
    for shard in ["1", "2"] {
        for words in [
            "duel --nodes 30 --pairs 4 --jobs 1 --output duel",
            "datagen --nodes 30 --records 50 --eval tuned data",
            "tune --nodes 20 --pairs 1 --eval tuned --out params",
        ] {
            let engines = if words.starts_with("duel") {
                " a= b="
            } else {
                ""
            };
            folder.done(&format!("{words}{shard} --shard {shard}/2{engines}"));
        }
    }
    folder
}

#[test]
fn merge_knows_files_by_their_first_bytes() {
    let folder = shares();
    let written = |words: &str, beginning: &str| {
        folder.done(words);
        let bytes = folder.read("new");
        assert!(bytes.starts_with(beginning.as_bytes()), "{words}");
        fs::remove_file(folder.path("new")).unwrap();
    };
    written("merge --output new games", "{\"tournament\":");
    written("merge --output new duel2 duel1", "{\"duel\":");
    written("merge --output new data1 data2", "SANTOD4");
    written("merge -o new params1 params2", "# ");
    // Earlier spellings.
    written("tune merge --out new params1 params2", "# ");
    written("datagen merge --out new data1 data2", "SANTOD4");
    let table = |words: &str| folder.done(words).stdout;
    assert_eq!(table("merge games"), table("tournament merge games"));
    assert_eq!(
        table("merge --json duel1 duel2"),
        table("duel merge --json duel2 duel1")
    );
}

#[test]
fn a_merged_duel_is_resumed_as_a_whole() {
    let folder = shares();
    folder.done("merge --output whole duel1 duel2");
    let words = "duel --nodes 30 --pairs 4 --jobs 1 --output whole a= b=";
    let text = errors(&folder.done(words));
    assert!(text.contains("whole has 4 of 4 pairs"), "{text}");
}

#[test]
fn merge_refuses_files_that_do_not_belong_together() {
    let folder = shares();
    fs::write(folder.path("empty"), "").unwrap();
    for name in ["line", "binary", "empty"] {
        let told = format!("{name}: nothing that can be merged");
        folder.refused(&format!("merge --output new {name}"), 2, &told);
        folder.refused(&format!("merge games {name}"), 2, &told);
    }
    for (words, told) in [
        (
            "duel1 games",
            "games: a file of game records, but the first",
        ),
        ("data1 params1", "params1: a file of search parameters, but"),
        (
            "data1 data2",
            "--output is missing: it takes a file of training",
        ),
        ("params1 params2", "--output is missing"),
        ("--output games duel1 duel2", "games exists"),
        ("--output data1 data1 data2", "data1"),
        (
            "--html page duel1 duel2",
            "--html cannot be used with a share",
        ),
        (
            "--json --output new data1 data2",
            "--json cannot be used with",
        ),
        (
            "--output new data1",
            "share 1/2: all 2 shares are needed, not 1",
        ),
    ] {
        folder.refused(&format!("merge {words}"), 2, told);
    }
    folder.refused("merge missing games", 1, "missing: ");
}
