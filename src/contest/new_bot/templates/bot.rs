//! A bot for the Santorini server that plays any legal turn (santorini help protocol).
//!   ./bot HOST PORT NAME

use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

/// A random element.
fn any<T: Copy>(choices: impl Iterator<Item = T>) -> Option<T> {
    let choices: Vec<T> = choices.collect();
    choices.get(RandomState::new().hash_one(0) as usize % choices.len().max(1)).copied()
}
/// All numbers in a text.
fn numbers(text: &str) -> Vec<usize> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}
/// The spaces of the workers in the last list of a text: x + 6 y, from 0 to 35.
fn workers(text: &str) -> Vec<usize> {
    let list = numbers(text.rsplit('[').next().unwrap_or_default());
    list.chunks_exact(2).map(|xy| xy[0] + 6 * xy[1]).collect()
}
fn near(a: usize, b: usize) -> bool {
    a != b && (a / 6).abs_diff(b / 6) < 2 && (a % 6).abs_diff(b % 6) < 2
}
/// The answer to a state that names us. `moved` is the worker that moved last, which builds.
fn answer(line: &str, name: &str, moved: &mut usize) -> Option<String> {
    let (status, state) = line.split_once(&format!("\",\"{name}\",[["))?;
    let (floors, bots) = state.split_once("]]")?;
    let (before, own) = bots.split_once(&format!("[\"{name}\",["))?;
    let (mine, after) = own.split_once(']')?;
    let (mine, theirs) = (workers(mine), workers(if before == "," { after } else { before }));
    let floors = numbers(floors);
    let free = (0..36).filter(|space| !mine.contains(space) && !theirs.contains(space));
    let may_move = |&n: &usize| { // 36 times the worker, and its space
        near(mine[n / 36], n % 36) && floors[n % 36] <= (floors[mine[n / 36]] + 1).min(3)
    };
    let choice = match status {
        "[\"placeWorker" => any(free),
        "[\"build" => any(free.filter(|&to| near(mine[*moved], to) && floors[to] < 4)),
        "[\"moveWorker" => any(free.flat_map(|to| [to, 36 + to]).filter(may_move)),
        _ => None, // the game is over
    }?;
    let space = format!("{} {}\n", choice % 6, choice % 36 / 6);
    if status != "[\"moveWorker" { return Some(space); }
    *moved = choice / 36;
    Some(format!("{} {space}", *moved + 1))
}
fn main() -> std::io::Result<()> {
    let [host, port, name] = [1, 2, 3].map(|n| std::env::args().nth(n).expect("usage: bot HOST PORT NAME"));
    let mut server = TcpStream::connect(format!("{host}:{port}"))?;
    server.write_all(format!("{name}\n").as_bytes())?;
    let (mut moved, mut over, name) = (0, false, name.replace('\\', r"\\").replace('"', r#"\""#)); // as in JSON
    for line in BufReader::new(server.try_clone()?).lines() {
        let line = line?;
        over = line.starts_with("\"final table");
        if line.starts_with('"') { println!("{line}"); } // a remark to people
        server.write_all(answer(&line, &name, &mut moved).unwrap_or_default().as_bytes())?;
    }
    over.then_some(()).ok_or(std::io::Error::other("the connection ended before the final table"))
}
