//! Packs the page, its link to the engine and the compiled engine into one file.
//!
//! `bundle MODULE PAGE` reads the WebAssembly module and writes the page. Beside it go the
//! manifest and the service worker, by which a page that a host serves can be installed and
//! works without a network.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::Compression;
use flate2::write::GzEncoder;

/// The files beside the page. They are served as they are.
const BESIDE: [(&str, &str); 2] = [
    (
        "santorini.webmanifest",
        include_str!("santorini.webmanifest"),
    ),
    ("santorini-worker.js", include_str!("santorini-worker.js")),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [module, target] = arguments.as_slice() else {
        return Err("bundle takes two files: the module and the page to write".into());
    };
    let module = packed(&fs::read(module)?)?;
    let page = page(&BASE64_STANDARD.encode(&module));
    fs::write(target, &page)?;
    for (name, text) in BESIDE {
        fs::write(Path::new(target).with_file_name(name), text)?;
    }
    let sent = packed(page.as_bytes())?.len();
    let (name, size) = (target.display(), megabytes(page.len()));
    let mut out = io::stdout();
    writeln!(out, "{name}: {size}, sent compressed {}", megabytes(sent))?;
    Ok(())
}

/// The page with the link to the packed module.
fn page(module: &str) -> String {
    let worker = serde_json::Value::from(include_str!("worker.js")).to_string();
    let link = include_str!("link.js")
        .replace("\"/* WORKER */\"", &worker)
        .replace("/* MODULE */", module);
    let link = link + include_str!("install.js");
    // `</` could close the script element.
    assert!(!link.contains("</"), "the link cannot stand in a page");
    santorini::page::page(&link)
}

/// The bytes as gzip.
fn packed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    packed.finish()
}

fn megabytes(bytes: usize) -> String {
    format!("{:.2} MB", bytes as f64 / 1e6)
}
