//! The players of `--players`: a file with a line for each, or a folder of submissions.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::cli::CliError;
use crate::cli::input::read_input;
use crate::cli::output::say;
use crate::printable::{listed as listing, printable, shown};
use crate::program::PlayerSpec;
use crate::shell::quoted;

/// The maximum size of a file of players, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// Programs in the folder of a submission, by name, with the commands that run them there.
const PROGRAMS: [(&str, &str); 5] = [
    ("player", "./player"),
    ("player.py", "python3 player.py"),
    ("player.js", "node player.js"),
    // Preferred to the source: `java` compiles more than one file only since Java 22.
    ("Player.class", "java -cp . Player"),
    ("Player.java", "java Player.java"),
];

/// The beginning of the command for a single Python file. Python 3.11 and newer then loads no
/// modules from the folder of the file, which holds other submissions: they could be named like
/// a module.
const PYTHON: &str = "env PYTHONSAFEPATH=1 python3 ";

/// The players of a file or folder, each as `NAME=COMMAND`. With `skips_empty`, folders without
/// a player are skipped with a message: when games are resumed, since players make such
/// folders, and with `--keep-going`. Otherwise they are an error.
///
/// # Errors
/// If it cannot be read, a line is wrong, or there is no player.
pub(super) fn listed(path: &Path, skips_empty: bool) -> Result<Vec<String>, CliError> {
    let (texts, kind) = match path.is_dir() {
        true => (of_folder(path, skips_empty)?, "submission"),
        false => (of_lines(path, &read_input(path, MOST_BYTES)?)?, "line"),
    };
    match texts.is_empty() {
        true => Err(wrong(path, format!("no player: it has no {kind}"))),
        false => Ok(texts),
    }
}

fn wrong(path: &Path, what: impl std::fmt::Display) -> CliError {
    CliError::Usage(format!("{}: {what}", shown(path)))
}

/// The lines of a file. Empty lines and lines that begin with `#` are skipped.
fn of_lines(path: &Path, text: &str) -> Result<Vec<String>, CliError> {
    let mut known: Vec<(String, usize)> = Vec::new();
    let mut texts = Vec::new();
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let named = |what: String| wrong(path, format!("line {number}: {what}"));
        let spec: PlayerSpec = line.parse().map_err(|error| named(format!("{error}")))?;
        if spec.name == line {
            return Err(named(format!(
                "expected NAME=COMMAND, found {line:?}; a name has letters, digits, _, - and ."
            )));
        }
        if let Some((_, first)) = known.iter().find(|(name, _)| *name == spec.name) {
            let name = &spec.name;
            return Err(named(format!("the name {name} is already on line {first}")));
        }
        known.push((spec.name, number));
        texts.push(line.to_string());
    }
    Ok(texts)
}

/// The submissions in a folder, by name: programs, and folders with a program. Hidden ones
/// and Python's `__pycache__` are skipped. These are skipped with a message: files that are not
/// programs, further programs in the folder of a submission and, with `skips_empty`, folders
/// without a player.
///
/// # Errors
/// If it cannot be read. Names all folders without a player, and all submissions whose names
/// are not UTF-8, which no command can hold.
fn of_folder(path: &Path, skips_empty: bool) -> Result<Vec<String>, CliError> {
    // `DIR` and `./DIR` give the same commands, so one can resume the other.
    let path = match path.strip_prefix(".") {
        Ok(rest) if rest != Path::new("") => rest,
        _ => path,
    };
    let failed = |error| CliError::failed(shown(path), error);
    let entries = fs::read_dir(path).map_err(failed)?;
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    paths.sort();
    let (mut texts, mut skipped) = (Vec::new(), Vec::new());
    let (mut empty, mut foreign) = (Vec::new(), Vec::new());
    let mut ambiguous: Vec<(Vec<String>, String)> = Vec::new();
    for path in paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with('.') || name == "__pycache__" {
            continue;
        }
        match submission(&path, &name) {
            Some(_) if path.to_str().is_none() => foreign.push(format!("{path:?}")),
            Some(text) => {
                if let [(runs, _), others @ ..] = &*programs(&path) {
                    let others = others.iter().map(|(other, _)| format!("{name}/{other}"));
                    ambiguous.push((others.collect(), format!("{name}/{runs} runs")));
                }
                texts.push(text);
            }
            None if path.is_dir() => empty.push(name.into_owned()),
            None => skipped.push(name.into_owned()),
        }
    }
    let say_skipped = |names: &[String], why: &str| {
        if !names.is_empty() {
            let (folder, names) = (shown(path), printable(&listing(names)).into_owned());
            say(&format!("santorini: {folder}: skipped {names}: {why}"));
        }
    };
    if skips_empty {
        say_skipped(&empty, "no player in it");
    } else if !empty.is_empty() {
        let files = PROGRAMS.map(|(file, _)| file).join(", ");
        return Err(wrong(
            path,
            format!(
                "no player in {}: a folder needs one of {files}",
                printable(&listing(&empty))
            ),
        ));
    }
    if !foreign.is_empty() {
        let names = listing(&foreign);
        return Err(wrong(
            path,
            format!("names that are not UTF-8: {names}; rename them"),
        ));
    }
    say_skipped(&skipped, "not executable, and not a .py or .js file");
    for (others, runs) in ambiguous {
        say_skipped(&others, &printable(&runs));
    }
    Ok(texts)
}

/// A submission as `NAME=COMMAND`, with a command that runs it in the folder that holds its
/// program; `None` for a folder without a player, and a file that is not a program.
fn submission(path: &Path, file_name: &str) -> Option<String> {
    let (name, folder, command) = if path.is_dir() {
        let &(_, command) = programs(path).first()?;
        (file_name, path, command.to_string())
    } else {
        let (name, by) = match file_name.rsplit_once('.') {
            Some((name, "py")) => (name, PYTHON),
            Some((name, "js")) => (name, "node "),
            _ if is_program(path) => (file_name, ""),
            _ => return None,
        };
        let program = quoted(&format!("./{file_name}"));
        (name, path.parent()?, format!("{by}{program}"))
    };
    let name = PlayerSpec::name_of(name);
    let folder = quoted(&folder.to_string_lossy());
    Some(format!("{name}=cd {folder} && {command}"))
}

/// The programs in the folder of a submission, with their commands. The first one runs. The
/// source of a compiled class is not another program.
fn programs(folder: &Path) -> Vec<(&'static str, &'static str)> {
    let there = |file: &str| folder.join(file).is_file();
    let is_compiled = there("Player.class");
    let programs = PROGRAMS.into_iter();
    programs
        .filter(|&(file, _)| there(file) && !(file == "Player.java" && is_compiled))
        .collect()
}

/// Whether a file is executable, or begins like a program that has lost its permission, as in
/// an upload: the check of the players says how to mend that.
fn is_program(path: &Path) -> bool {
    let Some(file) = fs::metadata(path).ok().filter(fs::Metadata::is_file) else {
        return false;
    };
    let mut head = [0; 4];
    // A file that cannot be read keeps zeros.
    let _ = File::open(path).and_then(|mut file| file.read(&mut head));
    file.permissions().mode() & 0o111 != 0 || head.starts_with(b"#!") || head == *b"\x7fELF"
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    fn lines(text: &str) -> Result<Vec<String>, String> {
        of_lines(Path::new("f"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn lines_are_players_and_comments() {
        let text = "# course 2\n\nAda=./a --fast\r\n Bo=python3 'b c.py' \n";
        assert_eq!(
            lines(text).unwrap(),
            ["Ada=./a --fast", "Bo=python3 'b c.py'"]
        );
    }

    #[test]
    fn a_broken_line_is_named() {
        for (text, words) in [
            (
                "A=./a\n./b",
                "f: line 2: expected NAME=COMMAND, found \"./b\"",
            ),
            (
                "A=./a\n\nA=./b",
                "f: line 3: the name A is already on line 1",
            ),
            ("A=", "f: line 1: the command of a player is empty"),
            (
                "A='x",
                "f: line 1: the command \"'x\" has an unclosed quote",
            ),
        ] {
            let said = lines(text).unwrap_err();
            assert!(said.contains(words), "{said}");
        }
    }

    #[test]
    fn submissions_are_programs_and_folders() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        for folder in ["bo", "di", "__pycache__"] {
            fs::create_dir_all(path(folder)).unwrap();
        }
        for (file, text) in [
            ("ada.py", ""),
            (".hidden", ""),
            ("bo/player.py", ""),
            ("cy", "#!/bin/sh\n"),
            ("di/Player.class", ""),
            ("di/Player.java", ""),
            ("Dörte (2).js", ""),
            ("notes.txt", "from Ada: late by a day\n"),
        ] {
            fs::write(path(file), text).unwrap();
        }
        let found = listed(place.path(), false).unwrap();
        let root = place.path().display();
        let expected = [
            format!("Dörte__2_=cd {root} && node './Dörte (2).js'"),
            format!("ada=cd {root} && env PYTHONSAFEPATH=1 python3 ./ada.py"),
            format!("bo=cd {root}/bo && python3 player.py"),
            format!("cy=cd {root} && ./cy"),
            format!("di=cd {root}/di && java -cp . Player"),
        ];
        assert_eq!(found, expected);
        let foreign = place.path().join(OsStr::from_bytes(b"m\xfcller"));
        fs::create_dir(&foreign).unwrap();
        fs::write(foreign.join("player.js"), "").unwrap();
        let said = listed(place.path(), false).unwrap_err().to_string();
        let words = format!(": names that are not UTF-8: \"{root}/m\\xFCller\"; rename them");
        assert!(said.ends_with(&words), "{said}");
        for folder in ["dee", "eve"] {
            fs::create_dir(path(folder)).unwrap();
        }
        let said = listed(place.path(), false).unwrap_err().to_string();
        assert!(said.contains("no player in dee and eve: "), "{said}");
        fs::remove_dir_all(foreign).unwrap();
        assert_eq!(listed(place.path(), true).unwrap(), expected);
    }
}
