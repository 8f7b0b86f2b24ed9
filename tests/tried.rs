//! The first table of each `TRIED.md` refers only to sections that exist.

use std::collections::BTreeSet;

/// The names of a notebook's sections: their headings up to the colon.
fn names(text: &str) -> BTreeSet<&str> {
    let headings = text.lines().filter_map(|line| line.strip_prefix("## "));
    headings
        .map(|heading| heading.split(':').next().unwrap())
        .collect()
}

/// The sections in the last column of the first table: each row, and what it refers to.
fn sections(text: &str) -> Vec<(&str, Vec<&str>)> {
    let rows = text.lines().skip_while(|line| !line.starts_with('|'));
    let rows = rows.take_while(|line| line.starts_with('|')).skip(2);
    rows.map(|row| {
        let last = row.trim_end_matches('|').rsplit('|').next().unwrap();
        (row, last.split(';').map(str::trim).collect())
    })
    .collect()
}

/// The rows that refer to a section that does not exist.
fn lost_rows(text: &str) -> Vec<&str> {
    let names = names(text);
    let mut rows = sections(text);
    rows.retain(|(_, wanted)| !wanted.iter().all(|name| names.contains(name)));
    rows.into_iter().map(|(row, _)| row).collect()
}

#[test]
fn rows_of_techniques_name_existing_sections() {
    for text in [
        include_str!("../src/engine/search/TRIED.md"),
        include_str!("../src/engine/eval/network/TRIED.md"),
    ] {
        assert!(sections(text).len() > 20 && names(text).len() > 10);
        assert_eq!(lost_rows(text), [""; 0]);
    }
}

#[test]
fn a_row_without_its_section_is_found() {
    let text = "# Tried\n\n| a | section |\n|---|---|\n| one | Here; There |\n\n| other | table |\n\n\
                ## Here: this\n";
    assert_eq!(lost_rows(text), ["| one | Here; There |"]);
    assert_eq!(lost_rows(&format!("{text}\n## There\n")), [""; 0]);
}
