//! A player for Santorini with god cards: it wins if it can, and otherwise plays any legal turn.
//! The rules, the cards and the JSON: santorini help rules

use std::hash::{BuildHasher, RandomState};

/// Spaces are 0 to 24, row by row. The card is that of the player to move.
#[derive(Clone, Copy)]
struct Board<'a> { card: &'a str, mine: [usize; 2], theirs: [usize; 2], levels: [usize; 25] }

fn near(a: usize) -> impl Iterator<Item = usize> {
    (0..25).filter(move |&b| a != b && (a / 5).abs_diff(b / 5) < 2 && (a % 5).abs_diff(b % 5) < 2)
}

impl Board<'_> {
    fn taken(&self, space: usize) -> bool { self.mine.contains(&space) || self.theirs.contains(&space) }
    fn built(mut self, space: usize, level: usize) -> Self {
        self.levels[space] = level;
        self
    }

    /// Each new space of a worker, whether the move wins, and the board after it.
    fn moves(self, old: usize, climb: usize) -> Vec<(usize, bool, Self)> {
        let mut found = Vec::new();
        for new in near(old) {
            let (low, high, mut after) = (self.levels[old], self.levels[new], self);
            if self.mine.contains(&new) || high > (low + climb).min(3) { continue; }
            if self.theirs.contains(&new) {
                let free = |&space: &usize| !self.taken(space) && self.levels[space] < 4;
                let behind = near(new).find(|space| space + old == 2 * new).filter(free);
                let pushed = match (self.card, behind) {
                    ("Apollo", _) => old,
                    ("Minotaur", Some(behind)) => behind,
                    _ => continue,
                };
                after.theirs = self.theirs.map(|space| if space == new { pushed } else { space });
            }
            after.mine = self.mine.map(|space| if space == old { new } else { space });
            found.push((new, high == 3 && low < 3 || self.card == "Pan" && low > high + 1, after));
        }
        found
    }

    /// Each space near a worker, and the board after one more level there.
    fn builds(self, worker: usize) -> impl Iterator<Item = (usize, Self)> {
        let free = near(worker).filter(move |&space| !self.taken(space) && self.levels[space] < 4);
        free.map(move |space| (space, self.built(space, self.levels[space] + 1)))
    }

    /// Each legal turn: whether it wins, and the board after it.
    fn turns(self) -> Vec<(bool, Self)> {
        let mut found = Vec::new();
        for old in self.mine {
            let mut starts = self.moves(old, 1);
            for (new, wins, after) in starts.clone() {
                if self.card != "Artemis" || wins { continue; }
                starts.extend(after.moves(new, 1).into_iter().filter(|more| more.0 != old));
            }
            if self.card == "Prometheus" { starts.extend(self.builds(old).flat_map(|(_, first)| first.moves(old, 0))); }
            for (new, wins, after) in starts {
                if wins { return vec![(true, after)]; }
                for (space, built) in after.builds(new) {
                    found.push((false, built));
                    let level = built.levels[space];
                    match self.card {
                        "Atlas" if level < 4 => found.push((false, built.built(space, 4))),
                        "Hephastus" if level < 3 => found.push((false, built.built(space, level + 1))),
                        "Demeter" => found.extend(built.builds(new).filter(|more| more.0 != space).map(|more| (false, more.1))),
                        _ => {}
                    }
                }
            }
        }
        found
    }
}

/// All numbers after a word in a text.
fn numbers(text: &str, word: &str) -> Vec<usize> {
    let text = &text[text.find(word).unwrap_or(0)..];
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}
/// An item of the list at random.
fn any<T: Copy>(list: &[T]) -> T { list[RandomState::new().hash_one(0) as usize % list.len()] }

fn player(card: &str, spaces: [usize; 2]) -> String {
    let [a, b] = spaces.map(|space| format!("[{},{}]", space / 5 + 1, space % 5 + 1));
    format!(r#"{{"card":"{card}","tokens":[{a},{b}]}}"#)
}

fn answer(line: &str) -> String {
    let cards: Vec<&str> = line.split("\"card\"").skip(1).filter_map(|rest| rest.split('"').nth(1)).collect();
    let tokens = numbers(line, "\"players\"");
    let tokens: Vec<usize> = tokens.chunks_exact(2).take(4).map(|token| 5 * token[0] + token[1] - 6).collect();
    if line.starts_with('[') { // place both workers
        let free: Vec<usize> = (0..25).filter(|space| !tokens.contains(space)).collect();
        let first = any(&free);
        let second = any(&free.into_iter().filter(|&space| space != first).collect::<Vec<_>>());
        let other = match tokens[..] { [a, b] => player(cards[1], [a, b]), _ => format!(r#"{{"card":"{}"}}"#, cards[1]) };
        return format!("[{other},{}]", player(cards[0], [first, second]));
    }
    let levels = numbers(line, "\"spaces\"")[..25].try_into().expect("a board has 25 spaces");
    let board = Board { card: cards[0], mine: [tokens[0], tokens[1]], theirs: [tokens[2], tokens[3]], levels };
    let turns = board.turns();
    let winning = turns.iter().find(|turn| turn.0).copied();
    let (_, after) = winning.unwrap_or_else(|| any(&turns));
    let players = format!("{},{}", player(cards[1], after.theirs), player(cards[0], after.mine));
    let rows: Vec<&[usize]> = after.levels.chunks(5).collect();
    let turn = numbers(line, "\"turn\"")[0] + 1;
    format!(r#"{{"players":[{players}],"spaces":{rows:?},"turn":{turn}}}"#)
}

fn main() {
    for line in std::io::stdin().lines().map_while(Result::ok) {
        println!("{}", answer(&line));
    }
}
