//! The table of proof numbers.

/// Stands for infinity: the goal is out of reach.
pub(super) const SOLVED: u32 = 1 << 28;

/// A proof and a disproof number: the minimum number of positions to solve until the player
/// to move succeeds, and until the opponent does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, bytemuck::Zeroable)]
pub(super) struct Numbers {
    pub mover: u32,
    pub other: u32,
}

impl Numbers {
    /// Above the numbers of any unsolved node.
    pub(super) const UNSOLVED: Self = Self {
        mover: SOLVED,
        other: SOLVED,
    };

    /// The numbers of a node in which a player has succeeded.
    pub(super) const fn solved(mover_succeeds: bool) -> Self {
        let (mover, other) = if mover_succeeds {
            (0, SOLVED)
        } else {
            (SOLVED, 0)
        };
        Self { mover, other }
    }

    /// Whether a player has succeeded.
    pub(super) const fn is_solved(self) -> bool {
        self.mover == 0 || self.other == 0
    }
}

/// A slot of the table, empty if its work is 0.
#[derive(Clone, Copy, bytemuck::Zeroable)]
struct Place {
    key: u64,
    numbers: Numbers,
    /// The nodes searched for it, at least 1.
    work: u32,
}

/// The number of slots in a bucket.
const BUCKET: usize = 4;

/// Numbers of nodes by their keys. When a bucket is full, the entry with the least work is
/// replaced.
pub(super) struct ProofTable {
    places: Vec<Place>,
}

impl ProofTable {
    /// A table of about `mib` MiB, at least 1.
    pub(super) fn new(mib: usize) -> Self {
        let count = (mib.max(1) << 20) / size_of::<Place>();
        Self {
            // The system provides the memory as it is used.
            places: bytemuck::zeroed_vec(count / BUCKET * BUCKET),
        }
    }

    fn bucket(&self, key: u64) -> usize {
        let buckets = (self.places.len() / BUCKET) as u64;
        ((u128::from(key) * u128::from(buckets)) >> 64) as usize * BUCKET
    }

    /// The numbers of a node, if they are known.
    pub(super) fn look_up(&self, key: u64) -> Option<Numbers> {
        let start = self.bucket(key);
        let mut places = self.places[start..start + BUCKET].iter();
        let found = places.find(|place| place.key == key && place.work > 0)?;
        Some(found.numbers)
    }

    /// Stores the numbers of a node with the nodes searched below it.
    pub(super) fn store(&mut self, key: u64, numbers: Numbers, work: u64) {
        let start = self.bucket(key);
        let places = &mut self.places[start..start + BUCKET];
        let same = places.iter().position(|place| place.key == key);
        let least = (0..BUCKET).min_by_key(|&index| places[index].work);
        let Some(index) = same.or(least) else {
            return;
        };
        let before = same.map_or(0, |index| places[index].work);
        places[index] = Place {
            key,
            numbers,
            work: u32::try_from(work + 1)
                .unwrap_or(u32::MAX)
                .saturating_add(before),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_with_the_least_work_is_replaced() {
        let mut table = ProofTable::new(1);
        let numbers = |mover| Numbers { mover, other: 7 };
        // These keys share a bucket.
        for key in 1..=5 {
            table.store(key, numbers(key as u32), 10 * (key % 4));
        }
        assert_eq!(table.look_up(2), Some(numbers(2)));
        assert_eq!(table.look_up(4), None);
        assert_eq!(table.look_up(5), Some(numbers(5)));
        table.store(2, numbers(9), 1);
        assert_eq!(table.look_up(2), Some(numbers(9)));
        assert_eq!(table.look_up(99), None);
    }
}
