//! A player for Santorini: it wins if it can, and otherwise plays any legal turn (santorini help rules).

use std::hash::{BuildHasher, RandomState};

/// A random number below `count`.
fn random(count: usize) -> usize {
    RandomState::new().hash_one(0) as usize % count
}
/// All numbers after a word in a text.
fn numbers(text: &str, word: &str) -> Vec<usize> {
    let text = &text[text.find(word).unwrap_or(0)..];
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}
/// The spaces of up to four workers: 0 to 24, row by row.
fn workers(numbers: &[usize]) -> Vec<usize> {
    numbers.chunks_exact(2).take(4).map(|space| 5 * space[0] + space[1] - 6).collect()
}
fn near(a: usize, b: usize) -> bool {
    a != b && (a / 5).abs_diff(b / 5) < 2 && (a % 5).abs_diff(b % 5) < 2
}
fn pair(w: &[usize]) -> String {
    format!("[[{},{}],[{},{}]]", w[0] / 5 + 1, w[0] % 5 + 1, w[1] / 5 + 1, w[1] % 5 + 1)
}

fn place(taken: &[usize]) -> String {
    let mut free: Vec<usize> = (0..25).filter(|space| !taken.contains(space)).collect();
    let own = [(); 2].map(|()| free.swap_remove(random(free.len())));
    let first = if taken.is_empty() { String::new() } else { pair(taken) + "," };
    format!("[{first}{}]", pair(&own))
}

fn play(workers: &[usize], level: &[usize], turn: usize) -> String {
    let mut turns = Vec::new();
    for (mine, to) in (0..50).map(|n| (n / 25, n % 25)) {
        let from = workers[mine]; // mine are workers 0 and 1
        let may = near(from, to) && level[to] <= (level[from] + 1).min(3) && !workers.contains(&to);
        let mut w = workers.to_vec();
        w[mine] = to;
        for at in (0..25).filter(|&at| may && near(to, at) && level[at] < 4 && !w.contains(&at)) {
            let mut rows: Vec<Vec<usize>> = level.chunks(5).take(5).map(Vec::from).collect();
            rows[at / 5][at % 5] += usize::from(level[to] < 3); // a win has no build
            let players = format!("{},{}", pair(&w[2..]), pair(&w[..2]));
            turns.push(format!(r#"{{"players":[{players}],"spaces":{rows:?},"turn":{}}}"#, turn + 1));
        }
        if may && level[to] == 3 {
            return turns.pop().expect("the space that it left is free");
        }
    }
    turns.swap_remove(random(turns.len()))
}

fn main() {
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let players = workers(&numbers(&line, "\"players\""));
        let (level, turn) = (numbers(&line, "\"spaces\""), numbers(&line, "\"turn\""));
        let is_board = line.starts_with('{');
        println!("{}", if is_board { play(&players, &level, turn[0]) } else { place(&players) });
    }
}
