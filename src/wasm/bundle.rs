//! Packs the page, its link to the engine and the compiled engine into one file.
//!
//! `bundle MODULE FOLDER` reads the WebAssembly module and writes two pages, with and without
//! the network for games with cards. It also writes the manifest and the service worker: with
//! them a page on a host can be installed and works offline.

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use base64::prelude::{BASE64_STANDARD, Engine};
use flate2::Compression;
use flate2::write::GzEncoder;

/// The pages with the network in each.
const PAGES: [(&str, &[u8]); 2] = [
    (
        "santorini.html",
        include_bytes!("../engine/eval/network/5x5_cards.bin"),
    ),
    ("santorini-small.html", &[]),
];

/// The files beside the pages, unchanged.
const BESIDE: [(&str, &str); 2] = [
    (
        "santorini.webmanifest",
        include_str!("santorini.webmanifest"),
    ),
    ("santorini-worker.js", include_str!("santorini-worker.js")),
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [module, folder] = arguments.as_slice() else {
        return Err("bundle takes the module and the folder for the pages".into());
    };
    let module = base64(&fs::read(module)?)?;
    let mut out = io::stdout();
    for (name, network) in PAGES {
        let page = page(&module, &base64(network)?);
        fs::write(Path::new(folder).join(name), &page)?;
        let sent = packed(page.as_bytes())?.len();
        let [size, sent] = [page.len(), sent].map(megabytes);
        writeln!(out, "{name}: {size}, sent compressed {sent}")?;
    }
    for (name, text) in BESIDE {
        fs::write(Path::new(folder).join(name), text)?;
    }
    Ok(())
}

/// The page with the link to the packed module and network.
fn page(module: &str, network: &str) -> String {
    let worker = serde_json::Value::from(include_str!("worker.js")).to_string();
    let link = include_str!("link.js")
        .replace("\"/* WORKER */\"", &worker)
        .replace("/* MODULE */", module)
        .replace("/* NETWORK */", network);
    let link = link + include_str!("install.js");
    // `</` could close the script element.
    assert!(!link.contains("</"), "the link cannot stand in a page");
    santorini::page::page(&link)
}

fn base64(bytes: &[u8]) -> io::Result<String> {
    Ok(BASE64_STANDARD.encode(packed(bytes)?))
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
