//! The weighted heuristic: four features of a position, each times a weight.
//!
//! The features and [`Weights::PAPER`] are from O. Rothenstein, A. Meroz, R. Kaplan and
//! A. Oxenhorn, "AI Agents for the Board Game Santorini" (2021), section IV.A.2. It leaves
//! the values of tiles and distances open; they are chosen here.

use crate::rules::{Bitboard, Geometry, Position, SQUARE_SLOTS, Side, Square, Turn};

use super::Evaluator;

/// The worth of one unit of each feature, in hundredths of a level of height.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weights {
    /// For [`Features::height`].
    pub height: i32,
    /// For [`Features::centre`].
    pub centre: i32,
    /// For [`Features::mobility`].
    pub mobility: i32,
    /// For [`Features::distance`].
    pub distance: i32,
    /// For a won position. The search scores wins exactly; this is for agents that see a win
    /// only through the heuristic.
    pub win: i32,
}

impl Weights {
    /// The weights that the paper found by matches between its agents.
    pub const PAPER: Self = Self {
        height: 100,
        centre: 10,
        mobility: 20,
        distance: 70,
        win: 200,
    };

    /// The weights that play best with this program's search.
    pub const TUNED: Self = Self {
        height: 100,
        centre: 20,
        mobility: 14,
        distance: 10,
        win: 10_000,
    };
}

/// The features of a position: the mover's value minus the opponent's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features {
    /// Levels under the workers.
    pub height: i32,
    /// How central the workers are (see [`centre_value`]).
    pub centre: i32,
    /// Spaces the workers can step to. A level up counts `CLIMB_VALUE` times.
    pub mobility: i32,
    /// How well the workers shadow the opponent's (see `DISTANCE_VALUE`).
    pub distance: i32,
}

/// The worth of a reachable space one level up in mobility. Others count 1.
const CLIMB_VALUE: i32 = 3;

/// The worth of the distance, in king's steps, from an opponent's worker to the best placed
/// own one. A near worker can build where the opponent wants to climb. Adjacent workers block
/// each other, and a worker three or more steps away comes late.
const DISTANCE_VALUE: [i32; 6] = [0, 3, 4, 2, 1, 0];

/// The worth of a square: its distance from the edge, so 0 at the edge and 2 in the middle of
/// a 5x5 board.
pub const fn centre_value<const N: usize>(square: Square) -> i32 {
    let row = to_edge::<N>(square.row::<N>());
    let column = to_edge::<N>(square.column::<N>());
    (if row < column { row } else { column }) as i32
}

const fn to_edge<const N: usize>(at: usize) -> usize {
    if at < N - 1 - at { at } else { N - 1 - at }
}

struct Tables<const N: usize>;

impl<const N: usize> Tables<N> {
    const CENTRE: &'static [i8; SQUARE_SLOTS] = &{
        let mut table = [0; SQUARE_SLOTS];
        let mut index = 0;
        while index < N * N {
            table[index] = centre_value::<N>(Square::new(index)) as i8;
            index += 1;
        }
        table
    };

    /// `DISTANCE_VALUE` by the squares of the two workers.
    const DISTANCE: &'static [[i8; SQUARE_SLOTS]; SQUARE_SLOTS] = &{
        let mut table = [[0; SQUARE_SLOTS]; SQUARE_SLOTS];
        let mut index = 0;
        while index < N * N * N * N {
            let (a, b) = (index / (N * N), index % (N * N));
            let distance = Geometry::<N>::distance(Square::new(a), Square::new(b));
            table[a][b] = DISTANCE_VALUE[distance] as i8;
            index += 1;
        }
        table
    };
}

impl Features {
    /// The features of a position.
    pub fn of<const N: usize>(position: &Position<N>) -> Self {
        let mover = of_mover(position);
        let other = of_mover(&position.with_players_swapped());
        let [height, centre, mobility] = std::array::from_fn(|i| mover[i] - other[i]);
        Self {
            height,
            centre,
            mobility,
            distance: distance(position),
        }
    }

    /// The weighted sum of the features.
    pub fn weighted(&self, weights: &Weights) -> i32 {
        self.height * weights.height
            + self.centre * weights.centre
            + self.mobility * weights.mobility
            + self.distance * weights.distance
    }
}

/// The height, centre and mobility of the player to move.
fn of_mover<const N: usize>(position: &Position<N>) -> [i32; 3] {
    let [mut height, mut centre, mut steps] = [0; 3];
    for square in position.workers(Side::Mover) {
        let level = position.level(square);
        height += i32::from(level);
        centre += i32::from(Tables::<N>::CENTRE[square.index()]);
        steps += match position.card(Side::Mover) {
            None => mobility(position, square, level),
            Some(_) => mobility_with_card(position, square, level),
        };
    }
    [height, centre, steps]
}

/// The mobility of a worker of the base game.
fn mobility<const N: usize>(position: &Position<N>, square: Square, level: u8) -> i32 {
    let level = usize::from(level);
    let free = Geometry::<N>::NEIGHBOURS[square.index()].without(position.occupied());
    let steps = free.without(position.above((level + 1).min(3)));
    let climbs = if level < 3 {
        steps & position.above(level)
    } else {
        Bitboard::EMPTY
    };
    steps.count() as i32 + (CLIMB_VALUE - 1) * climbs.count() as i32
}

/// The mobility of a worker with a card: all spaces that it can reach. Spaces on which it
/// would win by falling count as climbs.
fn mobility_with_card<const N: usize>(position: &Position<N>, square: Square, level: u8) -> i32 {
    let level = usize::from(level);
    let reach = position.reach(square);
    let mut climbs = if level < 3 {
        reach & position.above(level)
    } else {
        Bitboard::EMPTY
    };
    if position.power(Side::Mover).wins_by_falling && level >= 2 {
        climbs |= reach.without(position.above(level - 2));
    }
    reach.count() as i32 + (CLIMB_VALUE - 1) * climbs.count() as i32
}

/// The value of the distance from each of the other player's workers to the mover's best
/// placed one, minus the same with the players swapped.
///
/// The plain sum over all pairs of opposing workers would cancel out.
fn distance<const N: usize>(position: &Position<N>) -> i32 {
    let mut mover = position.workers(Side::Mover);
    let mut other = position.workers(Side::Other);
    let value = |a: Option<Square>, b: Option<Square>| match (a, b) {
        (Some(a), Some(b)) => i32::from(Tables::<N>::DISTANCE[a.index()][b.index()]),
        _ => 0,
    };
    let (a, b, c, d) = (mover.next(), mover.next(), other.next(), other.next());
    let (ac, ad, bc, bd) = (value(a, c), value(a, d), value(b, c), value(b, d));
    ac.max(bc) + ad.max(bd) - ac.max(ad) - bc.max(bd)
}

/// The weighted heuristic as an evaluation for the search.
#[derive(Clone, Copy, Debug)]
pub struct Weighted(pub Weights);

impl<const N: usize> Evaluator<N> for Weighted {
    fn reset(&mut self, _root: &Position<N>) {}

    fn push(&mut self, _turn: Turn, _after: &Position<N>) {}

    fn pop(&mut self) {}

    fn evaluate(&mut self, position: &Position<N>) -> i32 {
        Features::of(position).weighted(&self.0)
    }
}
