use serde_json::{Value, json};

use super::*;
use crate::record::read_games;

fn game(number: u64) -> Value {
    json!({"game": number, "players": ["A", "B"], "start": null, "turns": [],
           "winner": null, "ending": "interrupted"})
}

fn text_of(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// Resumes an existing file.
fn resumed(path: &Path) -> (RecordFile, Vec<Entry>) {
    let (file, entries) = RecordFile::resume(path).unwrap();
    (file, entries.unwrap())
}

#[test]
fn appended_lines_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let mut file = RecordFile::create(&path).unwrap();
    file.append(&json!({"tournament": {"seed": 1}})).unwrap();
    file.reserve().unwrap();
    file.append(&game(0)).unwrap();
    drop(file);
    let (mut file, entries) = resumed(&path);
    assert!(matches!(&entries[0], Entry::Header(header) if header["tournament"]["seed"] == 1));
    assert!(matches!(&entries[1], Entry::Game(record) if record.game == 0));
    file.append(&game(1)).unwrap();
    let numbers: Vec<u64> = read_games(&path).unwrap().iter().map(|g| g.game).collect();
    assert_eq!(numbers, [0, 1]);
    assert!(matches!(
        RecordFile::create(&path),
        Err(FileError::Io { .. })
    ));
    assert!(matches!(
        RecordFile::resume(&path),
        Err(FileError::Locked(_))
    ));
}

#[test]
fn a_damaged_last_line_is_left_out_and_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let good = format!("{}\n\n{}\n", game(0), game(1));
    let whole = game(2).to_string();
    for end in [
        &whole[..20],
        &whole[..whole.len() - 1],
        "{\"game\":\n",
        "\u{0}\u{0}",
        &format!("{}\u{0}\u{0}\n", &whole[..20]),
        &format!("{whole}\u{0}\n"),
    ] {
        std::fs::write(&path, format!("{good}{end}")).unwrap();
        assert_eq!(read_games(&path).unwrap().len(), 2, "{end:?}");
        let mut reader = Reader::open(&path).unwrap();
        assert_eq!(reader.by_ref().count(), 2);
        assert!(reader.damaged());
        let (mut file, entries) = resumed(&path);
        assert_eq!(entries.len(), 2);
        // The damaged line stays until something is appended.
        assert_eq!(text_of(&path), format!("{good}{end}"));
        file.append(&game(2)).unwrap();
        assert_eq!(text_of(&path), format!("{good}{}\n", game(2)));
    }
}

#[test]
fn a_whole_last_line_counts_without_its_newline() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let text = format!("{}\n{}", game(0), game(1));
    std::fs::write(&path, &text).unwrap();
    assert_eq!(read_games(&path).unwrap().len(), 2);
    let (mut file, entries) = resumed(&path);
    assert_eq!(entries.len(), 2);
    assert_eq!(text_of(&path), text);
    file.reserve().unwrap();
    file.append(&game(2)).unwrap();
    drop(file);
    assert_eq!(text_of(&path), format!("{text}\n{}\n", game(2)));
    // A file that ends with a newline gets no other.
    std::fs::write(&path, format!("{text}\n")).unwrap();
    resumed(&path).0.append(&game(2)).unwrap();
    assert_eq!(text_of(&path), format!("{text}\n{}\n", game(2)));
}

#[test]
fn a_damaged_line_before_the_last_is_an_error_that_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let bad_winner = game(0)
        .to_string()
        .replace("\"winner\":null", "\"winner\":2");
    for bad in ["{\"game\":1", "[]", "null", "{\"game\":\"x\"}", &bad_winner] {
        std::fs::write(&path, format!("{}\n{bad}\n{}\n", game(0), game(1))).unwrap();
        let text = text_of(&path);
        let error = read_games(&path).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{bad}: {error}");
        assert!(RecordFile::resume(&path).is_err());
        assert_eq!(text_of(&path), text);
    }
}

#[test]
fn a_whole_last_line_that_is_no_record_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let array = format!("[{}]", game(1));
    for (bad, why) in [
        ("hello", "expected value"),
        ("5", "it is 5; each line has one game"),
        (&array, "an array"),
    ] {
        for end in ["", "\n"] {
            let text = format!("{}\n{bad}{end}", game(0));
            std::fs::write(&path, &text).unwrap();
            let resumed = RecordFile::resume(&path).err().unwrap();
            for error in [read_games(&path).unwrap_err(), resumed] {
                let error = error.to_string();
                assert!(
                    error.contains("line 2: not a game record such as "),
                    "{error}"
                );
                assert!(error.contains(why), "{error}");
            }
            assert_eq!(text_of(&path), text);
        }
    }
}

#[test]
fn files_of_other_kinds_are_not_changed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let foreign: [&[u8]; 5] = [
        b"a line\n",
        b"{\"key\":1}\n{\"cut",
        b"\x7fELF\0\0\x01",
        b"{",
        b"{\"tournaments",
    ];
    for bytes in foreign {
        std::fs::write(&path, bytes).unwrap();
        let error = RecordFile::resume(&path).err().unwrap();
        assert!(matches!(error, FileError::Foreign(_)), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
    // A header that was cut short.
    std::fs::write(&path, "{\"tournament\":{\"pl").unwrap();
    let (mut file, entries) = resumed(&path);
    assert!(entries.is_empty());
    file.append(&game(0)).unwrap();
    drop(file);
    assert_eq!(text_of(&path), format!("{}\n", game(0)));
}

#[test]
fn a_new_file_is_removed_if_it_stays_empty() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let mut file = RecordFile::create(&path).unwrap();
    file.reserve().unwrap();
    assert!(path.exists());
    drop(file);
    assert!(!path.exists());
    drop(RecordFile::resume(&path).unwrap());
    assert!(!path.exists());
    // One that was there before stays, and one that was put in its place.
    let file = RecordFile::create(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    std::fs::write(&path, "").unwrap();
    drop(file);
    drop(RecordFile::begin(&path).unwrap());
    assert!(path.exists());
}

#[test]
fn a_tournament_begins_in_a_new_or_an_empty_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    drop(RecordFile::begin(&path).unwrap());
    std::fs::write(&path, "").unwrap();
    let mut file = RecordFile::begin(&path).unwrap();
    file.append(&game(0)).unwrap();
    drop(file);
    let exists = RecordFile::begin(&path).err().unwrap();
    assert!(
        matches!(&exists, FileError::Io { cause, .. } if cause.kind() == io::ErrorKind::AlreadyExists),
        "{exists}"
    );
    assert_eq!(text_of(&path), format!("{}\n", game(0)));
}

#[test]
fn a_file_that_its_last_user_removes_is_created_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let last = RecordFile::create(&path).unwrap();
    let next = std::thread::spawn({
        let path = path.clone();
        move || RecordFile::begin(&path)
    });
    std::thread::sleep(Duration::from_millis(100));
    drop(last);
    let mut next = next.join().unwrap().unwrap();
    next.append(&game(0)).unwrap();
    assert_eq!(text_of(&path), format!("{}\n", game(0)));
}

#[test]
fn a_missing_file_is_created_and_an_old_one_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let (mut file, entries) = RecordFile::resume(&path).unwrap();
    assert_eq!(entries, None);
    file.append(&game(0)).unwrap();
    let locked = RecordFile::overwrite(&path).err().unwrap();
    assert!(matches!(locked, FileError::Locked(_)), "{locked}");
    drop(file);
    let mut file = RecordFile::overwrite(&path).unwrap();
    assert_eq!(text_of(&path), format!("{}\n", game(0)));
    file.append(&game(1)).unwrap();
    assert_eq!(text_of(&path), format!("{}\n", game(1)));
}

#[test]
fn nothing_is_appended_after_a_change_by_another_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let mut file = RecordFile::create(&path).unwrap();
    file.append(&game(0)).unwrap();
    let changed = format!("{}\n{}\n", game(0), game(7));
    std::fs::write(&path, &changed).unwrap();
    for _ in 0..2 {
        assert!(matches!(file.append(&game(1)), Err(FileError::Changed(_))));
        assert!(matches!(file.reserve(), Err(FileError::Changed(_))));
    }
    assert!(file.verify().is_err());
    drop(file);
    assert_eq!(text_of(&path), changed);
}

#[cfg(unix)]
#[test]
fn two_programs_may_write_to_one_device() {
    let null = Path::new("/dev/null");
    let _first = RecordFile::create(null).unwrap();
    let (_second, entries) = RecordFile::resume(null).unwrap();
    assert_eq!(entries, Some(Vec::new()));
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_an_error() {
    let path = Path::new("/dev/full");
    let mut file = RecordFile::create(path).unwrap();
    let error = file.append(&game(0)).unwrap_err().to_string();
    assert!(error.contains("/dev/full: No space left"), "{error}");
}
