//! The folders of `src` are layers. Code in each, including unit tests, imports only
//! from its own layer or below. The tables in the heads of their `mod.rs` are complete.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The layers, lowest first. `beside` must not be imported although it is lower.
const LAYERS: [(&str, Option<&str>); 7] = [
    ("base", None),
    ("engine", None),
    ("games", None),
    ("contest", None),
    ("people", None),
    ("workshop", Some("people")),
    ("cli", None),
];

fn height(layer: &str) -> usize {
    let found = LAYERS.iter().position(|(name, _)| *name == layer);
    found.unwrap_or_else(|| panic!("src/{layer} is no layer: add it to LAYERS"))
}

/// The Rust files below a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = entries.flat_map(|entry| match entry.file_type().unwrap().is_dir() {
        true => rust_files(&entry.path()),
        false => vec![entry.path()],
    });
    files
        .filter(|file| file.extension().is_some_and(|end| end == "rs"))
        .collect()
}

/// The layer of each module: `rules` is in `engine`.
fn modules() -> BTreeMap<String, &'static str> {
    let mut modules = BTreeMap::new();
    for (layer, _) in LAYERS {
        modules.insert(layer.to_string(), layer);
        for entry in fs::read_dir(Path::new("src").join(layer)).unwrap() {
            let path = entry.unwrap().path();
            let module = path.file_stem().unwrap().to_str().unwrap();
            // The modules of the top layer are not exported.
            if module != "mod" && layer != "cli" {
                let twice = modules.insert(module.to_string(), layer);
                assert_eq!(twice, None, "two modules are called {module}");
            }
        }
    }
    // A macro of `rules`, exported at the root.
    modules.insert("at_size".to_string(), "engine");
    modules
}

/// The first names after `crate::` in a text, including `crate::{a::b, c}`.
fn imported(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    for rest in text.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            None => names.push(first_name(rest)),
            Some(list) => {
                let mut depth = 0;
                let mut is_start = true;
                for (at, letter) in list.char_indices() {
                    match letter {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => is_start = true,
                        letter if is_start && letter.is_alphabetic() => {
                            names.push(first_name(&list[at..]));
                            is_start = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    names
}

fn first_name(text: &str) -> String {
    let is_part = |letter: &char| letter.is_alphanumeric() || *letter == '_';
    text.chars().take_while(is_part).collect()
}

/// The forbidden imports of a file in `layer`.
fn wrong_imports(layer: &str, text: &str, modules: &BTreeMap<String, &'static str>) -> Vec<String> {
    let (_, beside) = LAYERS[height(layer)];
    let is_wrong = |module: &String| {
        let target = modules.get(module.as_str());
        let target = target.unwrap_or_else(|| panic!("crate::{module} is in no layer"));
        height(target) > height(layer) || beside == Some(target)
    };
    imported(text).into_iter().filter(is_wrong).collect()
}

#[test]
fn no_layer_imports_from_a_higher_one() {
    let modules = modules();
    let mut imports = 0;
    for (layer, _) in LAYERS {
        for file in rust_files(&Path::new("src").join(layer)) {
            let text = fs::read_to_string(&file).unwrap();
            let wrong = wrong_imports(layer, &text, &modules);
            assert_eq!(wrong, [""; 0], "{} imports upwards", file.display());
            imports += imported(&text).len();
        }
    }
    assert!(imports > 1000, "{imports}");
}

#[test]
fn an_import_upwards_is_found() {
    let modules = modules();
    let wrong = |layer, text| wrong_imports(layer, text, &modules);
    assert_eq!(wrong("engine", "use crate::draw::svg;"), ["draw"]);
    assert_eq!(
        wrong("games", "use crate::{\n    rules::{a, b},\n    lab::c,\n};"),
        ["lab"]
    );
    assert_eq!(wrong("workshop", "crate::page::page(x)"), ["page"]);
    assert_eq!(
        wrong("contest", "use crate::rules::A; use crate::server::B;"),
        [""; 0]
    );
}

#[test]
fn every_layer_says_what_it_may_import() {
    for (layer, _) in LAYERS {
        let text = fs::read_to_string(format!("src/{layer}/mod.rs")).unwrap();
        let head: Vec<&str> = text
            .lines()
            .take_while(|line| line.starts_with("//!"))
            .collect();
        assert!(
            head[..head.len().min(6)].join("\n").contains("May import:"),
            "src/{layer}/mod.rs"
        );
    }
    let source = fs::read_dir("src").unwrap().map(|entry| entry.unwrap());
    let folders = source.filter(|entry| entry.file_type().unwrap().is_dir());
    let mut names: Vec<String> = folders
        .map(|entry| entry.file_name().into_string().unwrap())
        .filter(|name| !["python", "wasm"].contains(&name.as_str()))
        .collect();
    names.sort_by_key(|name| height(name));
    assert_eq!(names, LAYERS.map(|(name, _)| name));
}

/// The files and folders that the tables in the head of a `mod.rs` name: relative to its
/// folder, or from the root of the repository.
fn named_in_head(head: &str) -> impl Iterator<Item = &str> {
    const ENDINGS: [&str; 10] = [
        "/", ".rs", ".txt", ".md", ".jsonl", ".js", ".ts", ".css", ".html", ".svg",
    ];
    let rows = head.lines().filter(|line| line.starts_with("//! |"));
    let quoted = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    quoted.filter(|name| ENDINGS.iter().any(|ending| name.ends_with(ending)))
}

/// Each head with a table, and what it names.
fn heads() -> Vec<(PathBuf, BTreeSet<PathBuf>)> {
    let mut heads = Vec::new();
    for file in LAYERS
        .iter()
        .flat_map(|(layer, _)| rust_files(&Path::new("src").join(layer)))
    {
        if file.ends_with("mod.rs") {
            let folder = file.parent().unwrap();
            let text = fs::read_to_string(&file).unwrap();
            let found = named_in_head(&text).map(|name| {
                let mut places = [folder.join(name), PathBuf::from(name)].into_iter();
                let found = places.find(|path| path.exists());
                found.unwrap_or_else(|| panic!("{} names {name}: no such file", file.display()))
            });
            let named: BTreeSet<PathBuf> = found.collect();
            heads.push((file, named));
        }
    }
    heads.retain(|(_, named)| !named.is_empty());
    assert!(heads.len() > 40, "{}", heads.len());
    heads
}

#[test]
fn heads_name_every_file_of_a_folder_and_no_other() {
    for (file, named) in heads() {
        // A command has the file of its name.
        if file == Path::new("src/cli/mod.rs") {
            continue;
        }
        for entry in fs::read_dir(file.parent().unwrap()).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            let source = name.ends_with(".rs") || path.is_dir();
            if source && !["mod.rs", "tests.rs", "tests"].contains(&name) {
                let is_named = named.iter().any(|other| other.starts_with(&path));
                assert!(is_named, "{} lacks {name}", file.display());
            }
        }
    }
}

/// The names of the types in a file that other files can use.
fn shared_types(text: &str) -> impl Iterator<Item = String> {
    let product = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    product.lines().filter_map(|line| {
        let line = line.strip_prefix("pub")?;
        let line = match line.strip_prefix('(') {
            Some(rest) => rest.split_once(')')?.1,
            None => line,
        };
        let (kind, rest) = line.trim_start().split_once(' ')?;
        let is_type = ["struct", "enum", "trait", "union", "type"].contains(&kind);
        is_type.then(|| first_name(rest))
    })
}

#[test]
fn no_two_types_have_the_same_name() {
    let mut files = BTreeMap::<String, PathBuf>::new();
    for file in LAYERS
        .iter()
        .flat_map(|(layer, _)| rust_files(&Path::new("src").join(layer)))
    {
        for name in shared_types(&fs::read_to_string(&file).unwrap()) {
            // Each command has its own.
            if name == "Args" {
                continue;
            }
            if let Some(other) = files.insert(name.clone(), file.clone()) {
                panic!(
                    "{name} stands in {} and {}",
                    other.display(),
                    file.display()
                );
            }
        }
    }
    assert!(files.len() > 500, "{}", files.len());
}
