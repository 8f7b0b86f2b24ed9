//! Splits the heights of a board into two parts: its frame and its core.
//!
//! Every symmetry maps the frame squares onto themselves, and so the core squares. Of
//! symmetric frames only one representative is stored, combined with every core. So no table
//! of row starts is needed. If a symmetry leaves a frame unchanged, symmetric cores are
//! stored several times. These are few: 3x5 stores 1.005 times as many boards as there are up
//! to symmetry.

use crate::rules::CAP;
use crate::solve::game::{Heights, SmallGame};
use crate::solve::shape::{MOST_SQUARES, Permutation, SquareSet, set_of, squares_of};
use crate::solve::size::cycles;

/// The number of different levels of a square.
const LEVELS: usize = CAP as usize + 1;
/// The maximum number of symmetries of a board.
pub(super) const MOST_SYMMETRIES: usize = 8;

/// The squares of each level below the dome.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Levels(pub [SquareSet; CAP as usize]);

impl Levels {
    /// The union of two parts of a board.
    #[inline(always)]
    pub const fn with(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a | e, b | f, c | g, d | h])
    }

    /// The squares on which workers can stand; on level 3 the game is over.
    #[inline(always)]
    pub const fn standing(self) -> SquareSet {
        self.0[0] | self.0[1] | self.0[2]
    }

    /// The squares that can be built on.
    #[inline(always)]
    pub const fn open(self) -> SquareSet {
        self.standing() | self.0[3]
    }
}

/// The representative of a class of symmetric frames.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub number: u32,
    pub levels: Levels,
}

/// The heights of the core.
#[derive(Clone, Copy, Debug)]
pub struct Core {
    pub number: u32,
    pub levels: Levels,
    /// The squares on which workers can stand.
    pub standing: u8,
    /// For each symmetry, the index of the image among the cores of the same sum and the
    /// same number of standing squares. The first is its own index.
    pub places: [u32; MOST_SYMMETRIES],
}

/// How a frame is mapped to its representative.
#[derive(Clone, Copy, Default, Debug)]
struct Reduced {
    /// The index of the representative among those of its sum.
    place: u32,
    symmetry: u8,
}

/// All frames and cores of a board, numbered.
pub struct Split {
    /// The place value of each square: a frame or core is numbered by its levels as digits
    /// of base 5.
    worth: [u32; MOST_SQUARES],
    /// The squares of the frame.
    pub frame: SquareSet,
    /// The squares of the core.
    pub core: SquareSet,
    reduced: Vec<Reduced>,
    frames: Vec<Vec<Frame>>,
    cores: Vec<Vec<Core>>,
    /// The index of each core by its number.
    places: Vec<u32>,
    /// The numbers of cores, and of frames, by sum and number of standing squares.
    core_counts: Vec<Counts>,
    frame_counts: Vec<Counts>,
}

/// Counts by the number of standing squares.
type Counts = [u32; MOST_SQUARES + 1];

/// Locates the bits of a board.
#[derive(Clone, Copy, Debug)]
pub struct Located {
    /// The sum of the levels of the frame.
    pub frames: usize,
    /// The index of the frame's representative.
    pub frame: usize,
    /// The symmetry that maps the frame to its representative.
    pub symmetry: usize,
    /// The numbers of standing squares of the frame and the core.
    pub standing: [usize; 2],
    /// The index of the core's image under that symmetry.
    pub core: u32,
}

impl Split {
    /// Splits the board of a game.
    pub fn new(game: &SmallGame) -> Self {
        let frame = frame_of(game);
        let core = game.shape.all() & !frame;
        let mut worth = [0; MOST_SQUARES];
        for part in [frame, core] {
            let mut next = 1;
            for square in squares_of(part) {
                worth[square] = next;
                next *= LEVELS as u32;
            }
        }
        let mut split = Self {
            worth,
            frame,
            core,
            reduced: Vec::new(),
            frames: vec![Vec::new(); highest_sum(frame) + 1],
            cores: vec![Vec::new(); highest_sum(core) + 1],
            places: Vec::new(),
            core_counts: vec![[0; MOST_SQUARES + 1]; highest_sum(core) + 1],
            frame_counts: vec![[0; MOST_SQUARES + 1]; highest_sum(frame) + 1],
        };
        split.number_frames(&game.symmetries);
        split.number_cores(&game.symmetries);
        split
    }

    fn number_frames(&mut self, symmetries: &[Permutation]) {
        self.reduced = vec![Reduced::default(); count(self.frame)];
        for number in 0..count(self.frame) as u32 {
            let digits = self.digits(self.frame, number);
            let images = symmetries.iter().map(|map| self.image(&digits, map));
            let (symmetry, first) = (0..)
                .zip(images)
                .min_by_key(|&(_, image)| image)
                .unwrap_or((0, number));
            let frames = &mut self.frames[sum(&digits)];
            let place = if first == number {
                let levels = levels(&digits);
                let standing = levels.standing().count_ones() as usize;
                self.frame_counts[sum(&digits)][standing] += 1;
                frames.push(Frame { number, levels });
                frames.len() as u32 - 1
            } else {
                self.reduced[first as usize].place
            };
            self.reduced[number as usize] = Reduced { place, symmetry };
        }
    }

    fn number_cores(&mut self, symmetries: &[Permutation]) {
        self.places = vec![0; count(self.core)];
        for number in 0..count(self.core) as u32 {
            let digits = self.digits(self.core, number);
            let levels = levels(&digits);
            let standing = levels.standing().count_ones() as u8;
            let place = &mut self.core_counts[sum(&digits)][usize::from(standing)];
            self.places[number as usize] = *place;
            *place += 1;
            self.cores[sum(&digits)].push(Core {
                number,
                levels,
                standing,
                places: [0; MOST_SYMMETRIES],
            });
        }
        let mut cores = std::mem::take(&mut self.cores);
        for core in cores.iter_mut().flatten() {
            let digits = self.digits(self.core, core.number);
            for (place, map) in core.places.iter_mut().zip(symmetries) {
                *place = self.places[self.image(&digits, map) as usize];
            }
        }
        for cores in &mut cores {
            cores.sort_by_key(|core| (core.standing, core.number));
        }
        self.cores = cores;
    }

    /// The levels of a part of the board, by its number.
    fn digits(&self, part: SquareSet, number: u32) -> [Option<u8>; MOST_SQUARES] {
        let mut digits = [None; MOST_SQUARES];
        for square in squares_of(part) {
            digits[square] = Some((number / self.worth[square] % LEVELS as u32) as u8);
        }
        digits
    }

    /// The number of the image of a part under a symmetry.
    fn image(&self, digits: &[Option<u8>; MOST_SQUARES], map: &Permutation) -> u32 {
        let worth = |(square, digit): (usize, &Option<u8>)| {
            digit.map_or(0, |digit| {
                u32::from(digit) * self.worth[usize::from(map[square])]
            })
        };
        digits.iter().enumerate().map(worth).sum()
    }

    /// The place value of a square: one more level on it adds this to the number of its
    /// part.
    #[inline(always)]
    pub const fn worth(&self, square: usize) -> u32 {
        self.worth[square]
    }

    /// The highest sum of levels of the frame.
    pub fn highest_frame_sum(&self) -> usize {
        highest_sum(self.frame)
    }

    /// The representatives of the frames with this sum.
    pub fn frames(&self, sum: usize) -> &[Frame] {
        &self.frames[sum]
    }

    /// The index of a frame's representative among those of its sum, and the symmetry that
    /// maps the frame to it.
    pub fn reduced(&self, number: u32) -> (usize, usize) {
        let reduced = self.reduced[number as usize];
        (reduced.place as usize, reduced.symmetry.into())
    }

    /// The cores with this sum, sorted by the number of standing squares; none if the sum
    /// is impossible.
    pub fn cores(&self, sum: usize) -> &[Core] {
        self.cores.get(sum).map_or(&[], Vec::as_slice)
    }

    /// The number of cores with this sum, by the number of standing squares.
    pub fn core_counts(&self, sum: usize) -> Counts {
        let counts = self.core_counts.get(sum).copied();
        counts.unwrap_or([0; MOST_SQUARES + 1])
    }

    /// The number of representatives of frames with this sum, by the number of standing
    /// squares.
    pub fn frame_counts(&self, sum: usize) -> Counts {
        self.frame_counts[sum]
    }

    /// The index of a core among those with the same sum and number of standing squares.
    #[inline(always)]
    pub fn place(&self, core: u32) -> u32 {
        self.places[core as usize]
    }

    /// Locates the bits of a board with these heights.
    pub fn locate(&self, heights: &Heights, symmetries: &[Permutation]) -> Located {
        let digits = |part| {
            let mut digits = [None; MOST_SQUARES];
            squares_of(part).for_each(|square| digits[square] = Some(heights[square]));
            digits
        };
        let (frame, core) = (digits(self.frame), digits(self.core));
        let number = self.image(&frame, &symmetries[0]);
        let (place, symmetry) = self.reduced(number);
        Located {
            frames: sum(&frame),
            frame: place,
            symmetry,
            standing: [&frame, &core].map(|part| levels(part).standing().count_ones() as usize),
            core: self.place(self.image(&core, &symmetries[symmetry])),
        }
    }
}

/// Chooses the frame: a union of orbits, as near to half of the board as possible, with as
/// few representatives as possible.
fn frame_of(game: &SmallGame) -> SquareSet {
    let orbit = |square: usize| set_of(game.symmetries.iter().map(|map| map[square].into()));
    let mut orbits: Vec<SquareSet> = (0..game.squares()).map(orbit).collect();
    orbits.sort_unstable();
    orbits.dedup();
    let joined = |choice: u32| {
        let chosen = (0..orbits.len()).filter(|orbit| choice >> orbit & 1 != 0);
        chosen.fold(0, |set, index| set | orbits[index])
    };
    let half = game.squares().div_ceil(2) as u32;
    let sets = (1..1u32 << orbits.len()).map(joined);
    let key = |&set: &SquareSet| {
        let all = (LEVELS as f64).powi(set.count_ones() as i32);
        let share = game
            .symmetries
            .iter()
            .map(|map| (LEVELS as f64).powi(cycles(map, set).len() as i32) / all);
        let parts_per_million = share.sum::<f64>() * 1e6;
        (set.count_ones().abs_diff(half), parts_per_million as u64)
    };
    sets.min_by_key(key).unwrap_or(0)
}

/// The number of possible heights of a part.
fn count(part: SquareSet) -> usize {
    LEVELS.pow(part.count_ones())
}

fn highest_sum(part: SquareSet) -> usize {
    part.count_ones() as usize * usize::from(CAP)
}

fn sum(digits: &[Option<u8>; MOST_SQUARES]) -> usize {
    digits
        .iter()
        .flatten()
        .map(|&digit| usize::from(digit))
        .sum()
}

/// The squares of each level of a part.
fn levels(digits: &[Option<u8>; MOST_SQUARES]) -> Levels {
    let mut levels = Levels::default();
    for (square, digit) in digits.iter().enumerate() {
        if let Some(set) = digit.and_then(|digit| levels.0.get_mut(usize::from(digit))) {
            *set |= 1 << square;
        }
    }
    levels
}
