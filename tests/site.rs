//! The link checker for the site that `./build.sh site` builds.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::installed::installed;
use crate::program::errors;

/// The complaints about a site of these files, one on each line, and whether it passes.
fn checked(python: &str, files: &[(&str, &str)]) -> (Vec<String>, bool) {
    let site = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = site.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let check = Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/site/links.py");
    let mut command = Command::new(python);
    let output = command.arg(check).arg(site.path()).output().unwrap();
    let told = errors(&output);
    let lines = told.lines().map(String::from).collect();
    (lines, output.status.success())
}

#[test]
fn wrong_links_of_the_site_are_named_with_their_page() {
    let Some(python) = installed(&["python3"]) else {
        return;
    };
    let below = "<a href='../index.html#top'>up</a><a href='..'>up</a><img src='../a%20b.svg'>";
    let first = "<h1 id='top'>a</h1><a href='guides/rules.html'></a><a href='#top'></a>\
                 <a href='https://docs.rs/clap'></a><style>b { background: url(a%20b.svg) }</style>";
    let right = [
        ("index.html", first),
        ("guides/rules.html", below),
        ("a b.svg", "<svg/>"),
    ];
    assert_eq!(checked(python, &right), (Vec::new(), true));

    let wrong = [
        ("<a href='gone.html'>", "gone.html leads nowhere"),
        ("<a href='#gone'>", "#gone leads to no anchor of that page"),
        (
            "<a href='other.html#gone'>",
            "other.html#gone leads to no anchor of that page",
        ),
        ("<a href='../index.html'>", "../index.html leads nowhere"),
        (
            "<a href='/other.html'>",
            "/other.html does not begin at its page, so the site cannot be in a folder",
        ),
        (
            "<a href='https://example.org/'>",
            "https://example.org/ leads to an unknown server",
        ),
        (
            "<a href='file:///etc'>",
            "file:///etc is of an unknown kind",
        ),
        ("<img src='gone.svg'>", "gone.svg leads nowhere"),
        (
            "<img src='https://docs.rs/a.svg'>",
            "https://docs.rs/a.svg is loaded from another server",
        ),
        (
            "<script src='//docs.rs/a.js'></script>",
            "//docs.rs/a.js is loaded from another server",
        ),
        (
            "<link rel='stylesheet' href='https://docs.rs/a.css'>",
            "https://docs.rs/a.css is loaded from another server",
        ),
        (
            "<p style='background: url(https://docs.rs/a.png)'>",
            "https://docs.rs/a.png is loaded from another server",
        ),
        (
            "<script>fetch('https://docs.rs/a')</script>",
            "https://docs.rs/a is loaded from another server",
        ),
    ];
    for (page, fault) in wrong {
        let found = checked(python, &[("index.html", page), ("other.html", "")]);
        assert_eq!(found, (vec![format!("index.html: {fault}")], false));
    }
    let style = "@import 'https://docs.rs/a.css';";
    let found = checked(python, &[("look/a.css", style)]);
    let fault = "look/a.css: https://docs.rs/a.css is loaded from another server";
    assert_eq!(found, (vec![fault.to_string()], false));
}
