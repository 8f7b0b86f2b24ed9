//! The layout of a board's picture: where spaces, towers and workers are.
//!
//! A space is 100 units wide. Seen at an angle it is less deep than wide, and each level
//! lifts what stands on it. `layout` in `board.js` has the same measures.

use super::scene::Scene;
use crate::rules::Square;

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum View {
    /// At an angle: towers have walls and height.
    #[default]
    Towers,
    /// From above, for analysis and print.
    Flat,
}

/// Width of the sea and the coordinates left and right of the spaces.
pub(super) const SIDE: i32 = 44;

/// Left, top, width and height in units.
pub(super) type Area = [i32; 4];

/// The measures of a view, in units.
pub(super) struct Measures {
    /// The start of the names of its shapes.
    pub prefix: &'static str,
    /// Height of a space.
    pub depth: i32,
    /// Height above the spaces, for the towers of the first row.
    pub above: i32,
    /// Height below the spaces, for the coordinates.
    pub below: i32,
    /// Height of the island's cliff.
    pub cliff: i32,
    /// From the middle of a tower's top up to the origin of a worker's shape.
    stand: i32,
    /// The top of each level, from the upper left corner of its space.
    tops: [Area; 5],
}

const TOWERS: Measures = Measures {
    prefix: "",
    depth: 82,
    above: 54,
    below: 66,
    cliff: 16,
    stand: 64,
    tops: [
        [0, 0, 100, 82],
        [7, -12, 86, 70],
        [16, -22, 68, 56],
        [25, -31, 50, 42],
        [25, -31, 50, 42],
    ],
};

const FLAT: Measures = Measures {
    prefix: "flat-",
    depth: 100,
    above: 24,
    below: 50,
    cliff: 0,
    stand: 51,
    tops: [
        [0, 0, 100, 100],
        [7, 7, 86, 86],
        [18, 18, 64, 64],
        [28, 28, 44, 44],
        [28, 28, 44, 44],
    ],
};

impl View {
    pub(super) const fn measures(self) -> &'static Measures {
        match self {
            Self::Towers => &TOWERS,
            Self::Flat => &FLAT,
        }
    }
}

impl Measures {
    /// The upper left corner of a space.
    pub(super) fn origin<const N: usize>(&self, square: Square) -> [i32; 2] {
        [
            square.column::<N>() as i32 * 100,
            square.row::<N>() as i32 * self.depth,
        ]
    }

    /// The top of a space's tower, or its ground.
    pub(super) fn top<const N: usize>(&self, scene: &Scene<N>, square: Square) -> Area {
        let [left, back] = self.origin::<N>(square);
        let [x, y, width, height] = self.tops[usize::from(scene.position().level(square))];
        [left + x, back + y, width, height]
    }

    /// The middle of [`Self::top`].
    pub(super) fn middle<const N: usize>(&self, scene: &Scene<N>, square: Square) -> [i32; 2] {
        let [x, y, width, height] = self.top(scene, square);
        [x + width / 2, y + height / 2]
    }

    /// The origin of the shape of a worker on a space.
    pub(super) fn stand<const N: usize>(&self, scene: &Scene<N>, square: Square) -> [i32; 2] {
        let [x, y] = self.middle(scene, square);
        [x - 50, y - self.stand]
    }

    /// The width and height of the picture of a board with this many rows and columns.
    pub(super) const fn size(&self, [rows, columns]: [usize; 2]) -> [i32; 2] {
        [
            columns as i32 * 100 + 2 * SIDE,
            rows as i32 * self.depth + self.above + self.below,
        ]
    }
}
