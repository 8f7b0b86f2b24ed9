//! A second implementation of the rules, slow and simple: arrays, loops, and a new board for
//! every step of a turn. It was written from the rule text alone. Tests compare the program's
//! fast rules with it.

use std::collections::BTreeSet;

use santorini::rules::Card;
use serde_json::Value;

/// Row and column, from 0.
pub type Space = (u8, u8);

/// A board between two turns. The player to move comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Board {
    /// Rows of levels; on the 5x5 board the sixth row and column stay 0.
    pub levels: [[u8; 6]; 6],
    /// Each player's workers, sorted because they are interchangeable.
    pub workers: [[Space; 2]; 2],
    pub cards: [Option<Card>; 2],
    pub turn: u32,
    pub size: u8,
}

/// A part of a turn: its sign in notation (`-` moves, `+` builds one level, `^` builds a
/// dome) and its space.
pub type Part = (char, Space);

/// The board in the middle of a turn, after some parts.
#[derive(Clone, Copy)]
struct Step {
    board: Board,
    /// The index of the moving worker.
    worker: usize,
    won: bool,
    /// The parts made so far.
    parts: [Option<Part>; 3],
}

/// A legal turn as a sequence of parts, with the board after it.
pub struct Route {
    pub from: Space,
    pub parts: Vec<Part>,
    pub after: Board,
}

/// Maps a space by one of the eight symmetries.
pub fn transformed((r, c): Space, symmetry: usize, size: u8) -> Space {
    let last = size - 1;
    let c = if symmetry & 4 == 0 { c } else { last - c };
    match symmetry & 3 {
        0 => (r, c),
        1 => (c, last - r),
        2 => (last - r, last - c),
        _ => (last - c, r),
    }
}

/// A space in notation.
fn name((row, column): Space) -> String {
    format!("{}{}", char::from(b'a' + column), row + 1)
}

impl Board {
    /// Reads the JSON of a valid board.
    pub fn from_json(value: &Value) -> Self {
        let number = |value: &Value| u8::try_from(value.as_u64().unwrap()).unwrap();
        let space = |value: &Value| (number(&value[0]) - 1, number(&value[1]) - 1);
        let rows = value["spaces"].as_array().unwrap();
        let mut board = Self {
            size: rows.len() as u8,
            levels: [[0; 6]; 6],
            workers: [[(0, 0); 2]; 2],
            cards: [None; 2],
            turn: value["turn"].as_u64().unwrap().try_into().unwrap(),
        };
        for (r, row) in rows.iter().enumerate() {
            for (c, level) in row.as_array().unwrap().iter().enumerate() {
                board.levels[r][c] = number(level);
            }
        }
        for (p, player) in value["players"].as_array().unwrap().iter().enumerate() {
            let tokens = player.get("tokens").unwrap_or(player);
            board.workers[p] = [space(&tokens[0]), space(&tokens[1])];
            board.workers[p].sort_unstable();
            let name = player.get("card").map(|name| name.as_str().unwrap());
            board.cards[p] = name.map(|name| name.parse().unwrap());
        }
        board
    }

    /// The boards after all legal turns.
    pub fn after_turns(&self) -> BTreeSet<Board> {
        let ends = self.final_steps().into_iter();
        ends.map(|end| end.board.with_players_swapped()).collect()
    }

    /// All legal turns, each with every sequence of parts that makes it.
    pub fn routes(&self) -> Vec<Route> {
        let route = |end: Step| Route {
            from: self.workers[0][end.worker],
            parts: end.parts.into_iter().flatten().collect(),
            after: end.board.with_players_swapped(),
        };
        self.final_steps().into_iter().map(route).collect()
    }

    /// The start of a turn of a worker.
    fn start(&self, worker: usize) -> Step {
        Step {
            board: *self,
            worker,
            won: false,
            parts: [None; 3],
        }
    }

    /// The final steps of all turns.
    fn final_steps(&self) -> Vec<Step> {
        let mut ends = Vec::new();
        for worker in 0..2 {
            let start = self.start(worker);
            let mut moved = start.moves();
            if self.has(Card::Artemis) {
                let from = start.space();
                for first in start.moves().into_iter().filter(|first| !first.won) {
                    let second = first.moves().into_iter();
                    moved.extend(second.filter(|second| second.space() != from));
                }
            }
            if self.has(Card::Prometheus) {
                for built in start.single_builds() {
                    let moves = built.moves().into_iter();
                    moved.extend(moves.filter(|after| after.height() <= start.height()));
                }
            }
            for step in moved {
                if step.won {
                    ends.push(step);
                } else {
                    ends.extend(step.builds());
                }
            }
        }
        ends
    }

    /// The legal turns in every spelling, each with the board after it.
    pub fn spelled_turns(&self) -> BTreeSet<(String, Board)> {
        let mut spelled = BTreeSet::new();
        for worker in 0..2 {
            let start = self.start(worker);
            let from = start.space();
            let mut moved: Vec<(String, Step)> = Vec::new();
            for first in start.moves() {
                let text = format!("{}-{}", name(from), name(first.space()));
                if self.has(Card::Artemis) && !first.won {
                    let second = first.moves().into_iter();
                    let second = second.filter(|second| second.space() != from);
                    moved.extend(
                        second.map(|second| (format!("{text}-{}", name(second.space())), second)),
                    );
                }
                moved.push((text, first));
            }
            if self.has(Card::Prometheus) {
                for built in start.single_builds() {
                    let space = built.changed_since(&start);
                    let after = built.moves().into_iter();
                    let after = after.filter(|after| after.height() <= start.height());
                    for after in after {
                        moved.extend(built.signs_of(space).iter().map(|sign| {
                            let [from, first, to] = [from, space, after.space()].map(name);
                            (format!("{from}{sign}{first}-{to}"), after)
                        }));
                    }
                }
            }
            for (text, step) in moved {
                if step.won {
                    spelled.insert((text + "#", step.board.with_players_swapped()));
                    continue;
                }
                for built in step.builds() {
                    let board = built.board.with_players_swapped();
                    let builds = built.spelled_builds(&step).into_iter();
                    spelled.extend(builds.map(|builds| (format!("{text}{builds}"), board)));
                }
            }
        }
        spelled
    }

    /// The board transformed by one of the eight symmetries.
    pub fn transformed(&self, symmetry: usize) -> Self {
        let mut board = *self;
        let image = |space| transformed(space, symmetry, self.size);
        for r in 0..self.size {
            for c in 0..self.size {
                board.set_level(image((r, c)), self.level((r, c)));
            }
        }
        for workers in &mut board.workers {
            *workers = workers.map(image);
            workers.sort_unstable();
        }
        board
    }

    fn has(&self, card: Card) -> bool {
        self.cards[0] == Some(card)
    }

    fn level(&self, (r, c): Space) -> u8 {
        self.levels[usize::from(r)][usize::from(c)]
    }

    fn set_level(&mut self, (r, c): Space, level: u8) {
        self.levels[usize::from(r)][usize::from(c)] = level;
    }

    fn neighbours(&self, (r, c): Space) -> Vec<Space> {
        let mut near = Vec::new();
        for to_r in 0..self.size {
            for to_c in 0..self.size {
                if to_r.abs_diff(r) <= 1 && to_c.abs_diff(c) <= 1 && (to_r, to_c) != (r, c) {
                    near.push((to_r, to_c));
                }
            }
        }
        near
    }

    fn is_own(&self, space: Space) -> bool {
        self.workers[0].contains(&space)
    }

    fn is_opponents(&self, space: Space) -> bool {
        self.workers[1].contains(&space)
    }

    fn is_free(&self, space: Space) -> bool {
        !self.is_own(space) && !self.is_opponents(space) && self.level(space) < 4
    }

    /// The space behind a neighbour in the same direction, if it is on the board.
    fn behind(&self, (r, c): Space, (over_r, over_c): Space) -> Option<Space> {
        let r = (2 * over_r).checked_sub(r)?;
        let c = (2 * over_c).checked_sub(c)?;
        (r < self.size && c < self.size).then_some((r, c))
    }

    fn with_players_swapped(mut self) -> Self {
        self.workers
            .iter_mut()
            .for_each(|workers| workers.sort_unstable());
        self.workers.swap(0, 1);
        self.cards.swap(0, 1);
        self.turn += 1;
        self
    }
}

impl Step {
    fn space(&self) -> Space {
        self.board.workers[0][self.worker]
    }

    fn height(&self) -> u8 {
        self.board.level(self.space())
    }

    /// All moves of the worker.
    fn moves(&self) -> Vec<Self> {
        let board = &self.board;
        let from = self.space();
        let mut moves = Vec::new();
        for to in board.neighbours(from) {
            if board.level(to) > self.height() + 1 || board.level(to) == 4 || board.is_own(to) {
                continue;
            }
            let mut after = self.with_part('-', to);
            if board.is_opponents(to) {
                let target = if board.has(Card::Apollo) {
                    Some(from)
                } else if board.has(Card::Minotaur) {
                    board
                        .behind(from, to)
                        .filter(|&behind| board.is_free(behind))
                } else {
                    None
                };
                let Some(target) = target else { continue };
                let other = board.workers[1]
                    .iter()
                    .position(|&place| place == to)
                    .unwrap();
                after.board.workers[1][other] = target;
            }
            after.board.workers[0][self.worker] = to;
            let climbs_to_3 = board.level(to) == 3 && self.height() < 3;
            let falls = board.has(Card::Pan) && self.height() >= board.level(to) + 2;
            after.won = climbs_to_3 || falls;
            moves.push(after);
        }
        moves
    }

    /// Appends a part without applying its effect to the board.
    fn with_part(mut self, sign: char, space: Space) -> Self {
        let free = self.parts.iter_mut().find(|part| part.is_none());
        *free.expect("no card allows more") = Some((sign, space));
        self
    }

    fn raised(&self, space: Space) -> Self {
        let mut after = self.with_part('+', space);
        after.board.set_level(space, self.board.level(space) + 1);
        after
    }

    fn capped(&self, space: Space) -> Self {
        let mut after = self.with_part('^', space);
        after.board.set_level(space, 4);
        after
    }

    /// All builds of a single level next to the worker.
    fn single_builds(&self) -> Vec<Self> {
        let near = self.board.neighbours(self.space()).into_iter();
        let free = near.filter(|&space| self.board.is_free(space));
        free.map(|space| self.raised(space)).collect()
    }

    /// All builds after the move, including those that only the card allows.
    fn builds(&self) -> Vec<Self> {
        let board = &self.board;
        let mut all = self.single_builds();
        for first in self.single_builds() {
            let space = first.changed_since(self);
            let level = board.level(space);
            if board.has(Card::Atlas) {
                all.push(self.capped(space));
            }
            if board.has(Card::Hephastus) && level + 2 < 4 {
                all.push(first.raised(space));
            }
            if board.has(Card::Demeter) {
                let second = first.single_builds().into_iter();
                all.extend(second.filter(|second| second.changed_since(&first) != space));
            }
        }
        all
    }

    /// The signs of a build of one level; a dome has two.
    fn signs_of(&self, space: Space) -> &'static [char] {
        match self.board.level(space) {
            4 => &['+', '^'],
            _ => &['+'],
        }
    }

    /// All spellings of the builds since `before`.
    fn spelled_builds(&self, before: &Self) -> Vec<String> {
        let spaces = (0..6).flat_map(|r| (0..6).map(move |c| (r, c)));
        let level = |step: &Self, space| step.board.level(space);
        let built: Vec<Space> = spaces
            .filter(|&space| level(self, space) != level(before, space))
            .collect();
        let ways = |space| -> Vec<String> {
            let signs = self.signs_of(space).iter();
            signs.map(|sign| format!("{sign}{}", name(space))).collect()
        };
        match built[..] {
            [a, b] => {
                let both = |a, b| {
                    let second = ways(b);
                    let joined = |first: String| second.iter().map(move |b| first.clone() + b);
                    ways(a).into_iter().flat_map(joined).collect::<Vec<_>>()
                };
                [both(a, b), both(b, a)].concat()
            }
            [a] => match (level(self, a), level(self, a) - level(before, a)) {
                (_, 1) => ways(a),
                (4, _) => vec![format!("^{}", name(a))],
                _ => vec![format!("+{0}+{0}", name(a))],
            },
            _ => panic!("a turn builds on one space or two"),
        }
    }

    /// The space whose level changed since `before`.
    fn changed_since(&self, before: &Self) -> Space {
        let spaces = (0..6).flat_map(|r| (0..6).map(move |c| (r, c)));
        let mut changed =
            spaces.filter(|&space| self.board.level(space) != before.board.level(space));
        changed.next().unwrap()
    }
}
