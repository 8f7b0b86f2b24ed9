//! Actions as numbers and observations as planes, as networks want them. For the
//! base game.
//!
//! | action | is |
//! |---|---|
//! | `64 w + 8 s + b` | worker `w` (0 or 1) steps in direction `s` and builds in direction `b` |
//! | `64 w + 8 s` | the same without a build, if the step wins |
//! | `128 + i` | a worker is placed on the space with index `i` |
//!
//! Worker 0 is the one on the space with the lower index; spaces are numbered row
//! by row. Directions go clockwise from north, which is towards row 1.
//!
//! | plane | holds 1 where |
//! |---|---|
//! | 0 to 3 | the level is at least 1, 2, 3, 4 |
//! | 4, 5 | worker 0 and worker 1 of the player to move stand |
//! | 6 | a worker of the other player stands |

use santorini::rules::{Bitboard, Geometry, Position, Side, Square, Turn};

/// The directions: steps in rows and columns.
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

/// The actions that are turns; placements follow.
pub const TURNS: usize = 2 * 8 * 8;

/// The planes of an observation.
pub const PLANES: usize = 7;

/// The number of actions on `N`x`N` spaces.
pub const fn actions<const N: usize>() -> usize {
    TURNS + N * N
}

/// By how much the index grows in a direction.
const fn offset<const N: usize>(direction: usize) -> isize {
    let [rows, columns] = DIRECTIONS[direction];
    rows * N as isize + columns
}

/// The directions by the difference of the indices of two neighbours, which is from
/// -(N + 1) to N + 1; the index here is greater by 16.
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
    let neighbour = Square::new(index as usize % santorini::rules::SQUARE_SLOTS);
    let is_one = Geometry::<N>::NEIGHBOURS[square.index()].has(neighbour);
    is_one.then_some(neighbour)
}

/// The action of a legal turn.
pub fn encode<const N: usize>(position: &Position<N>, turn: Turn) -> usize {
    let (from, to) = (turn.from(), turn.to());
    let first = position.workers(Side::Mover).first();
    let worker = usize::from(first != Some(from));
    let build = turn.build().map_or(0, |build| direction::<N>(to, build));
    64 * worker + 8 * direction::<N>(from, to) + build
}

/// The legal turn of an action; `None` if it is none.
pub fn decode<const N: usize>(position: &Position<N>, action: usize) -> Option<Turn> {
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

/// Marks the actions that are legal turns in a mask of all `false`.
pub fn mark_turns<const N: usize>(position: &Position<N>, mask: &mut [bool]) {
    let turns = mask
        .first_chunk_mut::<TURNS>()
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

/// Marks the squares of a set in a plane of all 0.
pub fn mark(set: Bitboard, plane: &mut [u8]) {
    for square in set {
        plane[square.index()] = 1;
    }
}

/// Writes the planes of a position, which are all 0 before.
pub fn mark_planes<const N: usize>(position: &Position<N>, planes: &mut [u8]) {
    let mut planes = planes.chunks_exact_mut(N * N);
    let mut next = || planes.next().expect("there are seven planes");
    for level in 0..4 {
        mark(position.above(level), next());
    }
    for worker in position.workers(Side::Mover) {
        mark(Bitboard::of(worker), next());
    }
    mark(position.workers(Side::Other), next());
}
