//! The numbers of actions. The documentation of [`Batch`](crate::batch::Batch) has the
//! tables.
//!
//! The base game has 128 turn numbers. Turns that need a card have further numbers, the
//! same for both players, so a number means the same in every position.

use santorini::rules::{Extra, Geometry, Position, SQUARE_SLOTS, Side, Square, Turn};

/// The directions as steps in rows and columns.
const DIRECTIONS: [[isize; 2]; 8] = [
    [-1, 0],
    [-1, 1],
    [0, 1],
    [1, 1],
    [1, 0],
    [1, -1],
    [0, -1],
    [-1, -1],
];

/// Numbers of turns with two directions, for both workers; and with three.
const PAIRS: usize = 2 * 8 * 8;
const TRIPLES: usize = 8 * PAIRS;

/// The 5x5 spaces around a worker; and with the build after a move to one of them: one
/// of eight directions, or none.
const AROUND: usize = 5 * 5;
const BUILDS: usize = 9;

/// First numbers of the turns that need a card.
const DOME: usize = PAIRS;
const TWO_LEVELS: usize = DOME + PAIRS;
const TWO_MOVES: usize = TWO_LEVELS + PAIRS;
const TWO_SPACES: usize = TWO_MOVES + 2 * AROUND * BUILDS;
const BUILT_FIRST: usize = TWO_SPACES + TRIPLES;

/// The number of turns with or without cards.
pub const fn turn_count(has_cards: bool) -> usize {
    if has_cards {
        BUILT_FIRST + TRIPLES
    } else {
        PAIRS
    }
}

/// The number of all actions on a board with this many rows. Placements follow the turns.
pub const fn action_count(size: usize, has_cards: bool) -> usize {
    turn_count(has_cards) + size * size
}

/// The change of the square index for a step in a direction.
const fn offset<const N: usize>(direction: usize) -> isize {
    let [rows, columns] = DIRECTIONS[direction];
    rows * N as isize + columns
}

/// Directions by the index difference of two neighbours, -(N + 1) to N + 1, plus 16.
const fn directions<const N: usize>() -> [u8; 32] {
    let mut table = [0; 32];
    let mut direction = 0;
    while direction < 8 {
        table[(16 + offset::<N>(direction)) as usize] = direction as u8;
        direction += 1;
    }
    table
}

/// The direction from a square to a neighbour.
pub const fn direction<const N: usize>(from: Square, to: Square) -> usize {
    let table = const { directions::<N>() };
    table[(16 + to.index() - from.index()) % table.len()] as usize
}

/// The neighbour in a direction, if it is on the board.
fn neighbour<const N: usize>(square: Square, direction: usize) -> Option<Square> {
    let index = square.index() as isize + offset::<N>(direction);
    let neighbour = Square::new(index as usize % SQUARE_SLOTS);
    let is_one = Geometry::<N>::NEIGHBOURS[square.index()].has(neighbour);
    is_one.then_some(neighbour)
}

/// The number of a square among the 5x5 spaces around another.
const fn place_around<const N: usize>(centre: Square, square: Square) -> usize {
    let rows = square.row::<N>() + 2 - centre.row::<N>();
    let columns = square.column::<N>() + 2 - centre.column::<N>();
    5 * rows + columns
}

/// The action of a legal turn.
pub fn encode<const N: usize>(position: &Position<N>, turn: Turn) -> usize {
    let (from, to) = (turn.from(), turn.to());
    let worker = usize::from(position.workers(Side::Mover).first() != Some(from));
    let build = turn.build().map_or(0, |build| direction::<N>(to, build));
    let pair = |first| PAIRS / 2 * worker + 8 * first + build;
    if turn.is_plain() {
        return pair(direction::<N>(from, to));
    }
    let triple = |directions: [usize; 3]| {
        let [first, second, third] = directions;
        TRIPLES / 2 * worker + 64 * first + 8 * second + third
    };
    match turn.extra() {
        Extra::None if turn.is_dome() => DOME + pair(direction::<N>(from, to)),
        // The card lets this turn swap or push a worker.
        Extra::None => pair(direction::<N>(from, to)),
        Extra::SecondBuild(again) if turn.build() == Some(again) => {
            TWO_LEVELS + pair(direction::<N>(from, to))
        }
        Extra::SecondBuild(second) => {
            let step = direction::<N>(from, to);
            TWO_SPACES + triple([step, build, direction::<N>(to, second)])
        }
        Extra::Via(_) => {
            // The space moved over does not matter. The second step may win or not.
            let build = if turn.wins() { 8 } else { build };
            TWO_MOVES + BUILDS * (AROUND * worker + place_around::<N>(from, to)) + build
        }
        Extra::FirstBuild(built) => {
            let (first, step) = (direction::<N>(from, built), direction::<N>(from, to));
            BUILT_FIRST + triple([first, step, build])
        }
    }
}

/// The legal turn of an action, or `None` if the action is illegal.
pub fn decode<const N: usize>(position: &Position<N>, action: usize) -> Option<Turn> {
    if position.card(Side::Mover).is_none() {
        return decode_base(position, action);
    }
    let mut found = None;
    position.for_each_turn(|turn| {
        if encode(position, turn) == action {
            found = Some(turn);
        }
    });
    found
}

fn decode_base<const N: usize>(position: &Position<N>, action: usize) -> Option<Turn> {
    let (worker, step, build) = (action / 64, action / 8 % 8, action % 8);
    let from = position.workers(Side::Mover).nth(worker)?;
    let to = neighbour::<N>(from, step)?;
    if position.quiet_steps(from).has(to) {
        let build = neighbour::<N>(to, build)?;
        let is_legal = position.quiet_builds(from, to).has(build);
        return is_legal.then(|| Turn::winning(from, to).building(build));
    }
    let wins = build == 0 && position.steps(from).has(to);
    wins.then(|| Turn::winning(from, to))
}

/// Sets the legal turns in a mask of all `false`.
pub fn mark_turns<const N: usize>(position: &Position<N>, mask: &mut [bool]) {
    if position.card(Side::Mover).is_none() {
        mark_base_turns(position, mask);
    } else {
        position.for_each_turn(|turn| mask[encode(position, turn)] = true);
    }
}

fn mark_base_turns<const N: usize>(position: &Position<N>, mask: &mut [bool]) {
    let turns = mask
        .first_chunk_mut::<PAIRS>()
        .expect("a mask has all turns");
    for (worker, from) in position.workers(Side::Mover).enumerate() {
        let quiet = position.quiet_steps(from);
        for to in quiet {
            let first = 64 * (worker % 2) + 8 * direction::<N>(from, to);
            for build in position.quiet_builds(from, to) {
                turns[first + direction::<N>(to, build)] = true;
            }
        }
        for to in position.steps(from).without(quiet) {
            turns[64 * (worker % 2) + 8 * direction::<N>(from, to)] = true;
        }
    }
}
