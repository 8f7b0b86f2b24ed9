//! A batch of lessons as the kernels read it: the lessons themselves, and for
//! each row of weights which lessons have it. So each row's gradient is summed
//! by threads of its own, in one order, and none waits for another.

use super::super::super::model::layer_rows;
use super::super::super::samples::Lesson;

/// Which players' hidden values a row is part of.
const MOVER: u32 = 1;
const OTHER: u32 = 2;

/// The rows and other words of a lesson.
pub const fn words<const N: usize>() -> usize {
    N * N + 2 * 4 + 2
}

/// The words of the index of so many lessons and rows, as large as it can be.
pub const fn index_words<const N: usize>(lessons: usize, rows: usize) -> usize {
    rows + 1 + lessons * words::<N>()
}

/// What the kernels read of a batch.
#[derive(Default)]
pub struct Batch {
    /// For each lesson the rows of its towers, those of each worker from both
    /// sides, its stage, and the bits of its target.
    pub lessons: Vec<u32>,
    /// Where the entries of each row begin, and where the last end; then the
    /// entries: four times the number of a lesson, and whose hidden values the
    /// row is part of.
    pub index: Vec<u32>,
}

impl Batch {
    /// Of these lessons and so many rows, of which the first are those of the
    /// features.
    pub fn fill<const N: usize>(&mut self, lessons: &[Lesson<N>], features: usize, rows: usize) {
        self.lessons.clear();
        for lesson in lessons {
            let towers = lesson.towers.as_flattened().iter();
            let workers = lesson.workers.as_flattened().iter();
            let seen = towers.chain(workers).map(|&row| u32::from(row));
            self.lessons.extend(seen);
            self.lessons
                .extend([lesson.stage as u32, lesson.target.to_bits()]);
        }
        self.index.clear();
        self.index.resize(rows + 1, 0);
        for lesson in lessons {
            for_each_row(lesson, features, |row, _| self.index[row + 1] += 1);
        }
        for row in 0..rows {
            self.index[row + 1] += self.index[row];
        }
        let mut next = self.index[..rows].to_vec();
        let entries = self.index[rows] as usize;
        self.index.resize(rows + 1 + entries, 0);
        for (number, lesson) in lessons.iter().enumerate() {
            for_each_row(lesson, features, |row, players| {
                self.index[rows + 1 + next[row] as usize] = 4 * number as u32 + players;
                next[row] += 1;
            });
        }
    }
}

/// Calls `visit` with each row of a lesson and the players whose hidden values
/// it is part of.
fn for_each_row<const N: usize>(
    lesson: &Lesson<N>,
    features: usize,
    mut visit: impl FnMut(usize, u32),
) {
    for &tower in lesson.towers.as_flattened() {
        visit(usize::from(tower), MOVER | OTHER);
    }
    for [own, others] in lesson.workers {
        visit(usize::from(own), MOVER);
        visit(usize::from(others), OTHER);
    }
    let [own, others] = layer_rows(lesson.stage);
    visit(features + own, MOVER);
    visit(features + others, OTHER);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_knows_its_lessons() {
        let lesson = |tower, stage| Lesson::<1> {
            towers: [[tower]],
            workers: [[1, 2], [1, 2], [2, 1], [2, 1]],
            stage,
            target: 0.5,
        };
        let (features, rows) = (4, 4 + 16);
        let mut batch = Batch::default();
        batch.fill(&[lesson(0, 1), lesson(3, 0)], features, rows);
        assert_eq!(batch.lessons.len(), 2 * words::<1>());
        assert_eq!(batch.lessons[..3], [0, 1, 2]);
        assert_eq!(batch.lessons[9..11], [1, 0.5f32.to_bits()]);
        let of = |row: usize| {
            let [begin, end] = [row, row + 1].map(|row| batch.index[row] as usize);
            batch.index[rows + 1..][begin..end].to_vec()
        };
        assert_eq!((of(0), of(3)), (vec![3], vec![4 + 3]));
        assert_eq!(of(1), [1, 1, 2, 2, 5, 5, 6, 6]);
        assert_eq!((of(4), of(5)), (vec![4 + 1], vec![4 + 2]));
        assert_eq!((of(6), of(7)), (vec![1], vec![2]));
        assert!(of(8).is_empty());
        assert!(batch.index.len() <= index_words::<1>(2, rows));
    }
}
