//! The transposition table: results of earlier searches by position.
//!
//! | to see or change | look at |
//! |---|---|
//! | the table: its size, which entries are replaced | `mod.rs` (here) |
//! | what is stored for a position, and how it is packed | `entry.rs` |

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::memory;

use super::score::is_proved;

mod entry;

pub(super) use entry::{Bound, TtEntry};
use entry::{
    GENERATIONS, PackedEntry, depth_of, generation_of, load, pack, store, take, unpack, unpack_turn,
};

/// Four entries, one cache line.
type Bucket = [PackedEntry; 4];
const CACHE_LINE: usize = size_of::<Bucket>();
const BUCKET_WORDS: usize = CACHE_LINE / size_of::<u64>();

/// The alignment of tables of at least this size, in bytes.
const HUGE_PAGE: usize = 2 << 20;

/// A table of up to this many buckets is allocated without checking that memory is left for
/// the rest of the program.
const UNCHECKED_BUCKETS: usize = (64 << 10) / CACHE_LINE;

/// The maximum reserved for the networks, which are read on first use, in bytes.
const NETWORKS: usize = 8 << 20;

/// A table of fixed size, shared by all threads of a search. A search uses as many of the
/// first buckets as it needs.
pub(super) struct TranspositionTable {
    /// The buckets, with padding that aligns them to a huge page. (The allocator has fresh
    /// zeroed memory for plain words only: aligned buckets would be zeroed by hand.)
    words: Box<[AtomicU64]>,
    /// The index of the first bucket's first word.
    first: usize,
    /// The number of buckets. (More may fit into the padding, depending on the address; a
    /// search must not depend on that.)
    count: usize,
    /// The number of buckets in use, at least one.
    used: AtomicUsize,
    generation: u64,
}

impl TranspositionTable {
    /// An empty table of `mib` mebibytes, or of a half, a quarter, ... of that if memory is
    /// short (see [`TranspositionTable::bytes`]). The operating system provides the memory as
    /// it is used, so creation is fast.
    pub(super) fn new(mib: usize) -> Self {
        let most = ((mib << 20) / CACHE_LINE).max(1);
        std::iter::successors(Some(most), |&buckets| (buckets > 1).then_some(buckets / 2))
            .find_map(Self::of_buckets)
            .expect("a program that runs has memory for 64 bytes")
    }

    /// A table of this size, if there is memory for it and for the rest of the program.
    fn of_buckets(buckets: usize) -> Option<Self> {
        let words = words_for(buckets);
        let bytes = words * size_of::<AtomicU64>();
        // If memory is short, the table and the networks share it.
        let with_spare = bytes + memory::SPARE + NETWORKS.min(8 * bytes);
        if buckets > UNCHECKED_BUCKETS && !memory::is_left(with_spare) {
            return None;
        }
        let words = bytemuck::try_zeroed_slice_box(words).ok()?;
        Some(Self::of_words(words, buckets))
    }

    fn of_words(words: Box<[AtomicU64]>, buckets: usize) -> Self {
        let first = words.as_ptr().align_offset(alignment(buckets));
        prefer_huge_pages(&words[first..]);
        Self {
            first,
            words,
            count: buckets,
            used: AtomicUsize::new(1),
            generation: 0,
        }
    }

    /// The size of all buckets in bytes.
    pub(super) const fn bytes(&self) -> usize {
        self.count * CACHE_LINE
    }

    /// The size of the buckets in use in bytes.
    #[cfg(test)]
    pub(super) fn bytes_in_use(&self) -> usize {
        self.used.load(Ordering::Relaxed) * CACHE_LINE
    }

    /// All buckets, and those that fit into the padding.
    fn buckets(&self) -> &[Bucket] {
        let words = &self.words[self.first..];
        words.as_chunks().0.as_chunks().0
    }

    /// Makes room for a search of this many nodes, up to the size of the table; uses all of it
    /// if the number is unknown. A larger search does not find the entries of smaller ones.
    ///
    /// A large table makes a short search slower: memory is touched for the first time, and
    /// more addresses miss the TLB. Measured: 300,000 nodes from an empty table run 1.15 times
    /// as fast in 16 MiB as in 128.
    pub(super) fn make_room(&mut self, nodes: Option<u64>) {
        let wanted = nodes.map_or(self.count, |nodes| self.buckets_for(nodes));
        let used = self.used.get_mut();
        *used = wanted.max(*used);
    }

    /// Makes room for this many nodes while a search runs, up to the size of the table, and
    /// keeps the entries.
    ///
    /// Other threads may use the table meanwhile. They may miss entries that are being moved,
    /// and store entries that are never found.
    pub(super) fn grow(&self, nodes: u64) {
        let wanted = self.buckets_for(nodes);
        let used = self.used.load(Ordering::Relaxed);
        if wanted > used {
            self.spread(used, wanted);
            self.used.store(wanted, Ordering::Relaxed);
        }
    }

    fn buckets_for(&self, nodes: u64) -> usize {
        // A third of the nodes is stored, and entries of earlier searches are useful.
        const BYTES_A_NODE: u64 = 32;
        let buckets = nodes.saturating_mul(BYTES_A_NODE) / CACHE_LINE as u64;
        buckets.next_power_of_two().min(self.count as u64) as usize
    }

    /// Moves all entries from the first `used` buckets to their places among `wanted` ones.
    fn spread(&self, used: usize, wanted: usize) {
        let buckets = self.buckets();
        // An entry moves up or stays. From the last bucket down, each bucket that receives
        // entries has been emptied before.
        for bucket in buckets[..used].iter().rev() {
            for (key, data) in bucket.each_ref().map(take) {
                if data != 0 {
                    let slots = &buckets[place(key, wanted)];
                    // If the buckets are doubled, there is a free slot.
                    if let Some(slot) = slots.iter().find(|slot| load(slot).1 == 0) {
                        store(slot, key, data);
                    }
                }
            }
        }
    }

    /// Removes all entries.
    pub(super) fn clear(&mut self) {
        let used = std::mem::replace(self.used.get_mut(), 1);
        let end = self.first + used * BUCKET_WORDS;
        self.words[self.first..end]
            .iter_mut()
            .for_each(|word| *word.get_mut() = 0);
        self.generation = 0;
    }

    /// Starts a new search: entries of older ones are replaced first.
    pub(super) fn next_generation(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets()[place(key, self.used.load(Ordering::Relaxed))]
    }

    /// Fetches the bucket of a position into the cache. Waiting for main memory would take
    /// longer than a whole node.
    #[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables))]
    pub(super) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let bucket: *const Bucket = self.bucket(key);
            // SAFETY: a prefetch never faults, and the address is a bucket's. Measured: 12%
            // more nodes a second.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(bucket.cast()) };
        }
    }

    /// The entry of the position with this key, `ply` plies from the root.
    pub(super) fn get(&self, key: u64, ply: usize) -> Option<TtEntry> {
        self.bucket(key).iter().find_map(|slot| {
            let (found, data) = load(slot);
            (data != 0 && found == key).then(|| unpack(data, ply))
        })
    }

    /// Stores an entry in place of the one least worth keeping. An entry of the same search and
    /// position that is deeper by more than `keep_deeper` plies stays, unless the new score is
    /// exact or proved.
    pub(super) fn put(&self, key: u64, entry: &TtEntry, ply: usize, keep_deeper: i32) {
        let may_stay = entry.bound != Bound::Exact && !is_proved(entry.score);
        let slots = self.bucket(key);
        let mut worst = (&slots[0], i64::MAX);
        let mut turn = entry.turn;
        for slot in slots {
            let (found, data) = load(slot);
            if data != 0 && found == key {
                let is_new = generation_of(data) == self.generation;
                if may_stay && is_new && depth_of(data) > entry.depth + keep_deeper {
                    return;
                }
                turn = turn.or_else(|| unpack_turn(data));
                worst = (slot, i64::MIN);
                break;
            }
            let value = self.worth(data);
            if value < worst.1 {
                worst = (slot, value);
            }
        }
        let data = pack(&TtEntry { turn, ..*entry }, self.generation, ply);
        store(worst.0, key, data);
    }

    /// How much an entry is worth keeping: deep and recent ones most.
    fn worth(&self, data: u64) -> i64 {
        if data == 0 {
            return i64::MIN;
        }
        let age = (GENERATIONS + self.generation - generation_of(data)) % GENERATIONS;
        i64::from(depth_of(data)) - 4 * age as i64
    }
}

/// The alignment of a table's first bucket, in bytes.
const fn alignment(buckets: usize) -> usize {
    if buckets * CACHE_LINE < HUGE_PAGE {
        CACHE_LINE
    } else {
        HUGE_PAGE
    }
}

/// The number of words for this many buckets and their padding.
const fn words_for(buckets: usize) -> usize {
    buckets * BUCKET_WORDS + alignment(buckets) / size_of::<AtomicU64>() - 1
}

/// The index of a key's bucket among this many.
fn place(key: u64, buckets: usize) -> usize {
    // WebAssembly multiplies at most 64 bits. It has fewer than 2^32 buckets, so two halves
    // of the key give the same.
    #[cfg(target_pointer_width = "32")]
    {
        let [high, low] = [key >> 32, key & 0xffff_ffff].map(|half| half * buckets as u64);
        ((high + (low >> 32)) >> 32) as usize
    }
    #[cfg(not(target_pointer_width = "32"))]
    {
        ((u128::from(key) * buckets as u128) >> 64) as usize
    }
}

/// Asks the operating system for huge pages, which need fewer TLB entries. Measured: 1.05 to
/// 1.1 times the nodes a second. If it has none, the table is only slower.
#[cfg_attr(
    not(all(target_os = "linux", feature = "system")),
    expect(unused_variables)
)]
fn prefer_huge_pages(words: &[AtomicU64]) {
    #[cfg(all(target_os = "linux", feature = "system"))]
    {
        use nix::sys::mman::{MmapAdvise, madvise};
        use std::ptr::NonNull;
        let length = size_of_val(words) / HUGE_PAGE * HUGE_PAGE;
        // SAFETY: the range belongs to `words`, and the advice changes nothing in it.
        let _ = unsafe {
            madvise(
                NonNull::from(words).cast(),
                length,
                MmapAdvise::MADV_HUGEPAGE,
            )
        };
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::super::score::{loss_in, win_in};
    use super::*;
    use crate::rules::Turn;

    /// No entry is deeper by this much.
    const NEVER: i32 = 300;

    fn entry(score: i32, depth: i32) -> TtEntry {
        let turn = Turn::parse::<5>("c3-c4+b4").ok();
        TtEntry {
            turn,
            score,
            depth,
            bound: Bound::Lower,
        }
    }

    #[test]
    fn an_entry_reads_back() {
        let table = TranspositionTable::new(1);
        table.put(0x1234_5678_9abc_def0, &entry(-77, 9), 3, NEVER);
        assert_eq!(table.get(0x1234_5678_9abc_def0, 3), Some(entry(-77, 9)));
        assert_eq!(table.get(0x1234_5678_9abc_def1, 3), None);
    }

    #[test]
    fn proved_scores_count_from_the_position() {
        let table = TranspositionTable::new(1);
        for score in [win_in(10), loss_in(12)] {
            table.put(1, &entry(score, 9), 4, NEVER);
            let deeper = table.get(1, 6).unwrap().score;
            assert_eq!(
                deeper,
                score - 2 * score.signum(),
                "two plies further from the root"
            );
        }
    }

    #[test]
    fn shallow_and_old_entries_are_replaced() {
        let mut table = TranspositionTable::new(0);
        for depth in [5, 2, 8, 7] {
            table.put(depth, &entry(0, depth as i32), 0, NEVER);
        }
        table.put(100, &entry(0, 1), 0, NEVER);
        assert!(table.get(2, 0).is_none() && table.get(5, 0).is_some());
        table.next_generation();
        table.next_generation();
        table.put(101, &entry(0, 1), 0, NEVER);
        assert!(table.get(100, 0).is_none() && table.get(5, 0).is_some());
    }

    #[test]
    fn a_much_deeper_entry_of_the_same_search_stays() {
        let mut table = TranspositionTable::new(1);
        let depth_after = |table: &TranspositionTable, new: &TtEntry| {
            table.put(1, new, 0, 3);
            table.get(1, 0).unwrap().depth
        };
        table.put(1, &entry(5, 9), 0, 3);
        assert_eq!(depth_after(&table, &entry(7, 5)), 9);
        assert_eq!(depth_after(&table, &entry(7, 6)), 6);
        table.put(1, &entry(5, 30), 0, 3);
        let exact = TtEntry {
            bound: Bound::Exact,
            ..entry(7, 2)
        };
        assert_eq!(depth_after(&table, &exact), 2);
        table.put(1, &entry(5, 30), 0, 3);
        assert_eq!(depth_after(&table, &entry(loss_in(8), 2)), 2);
        table.put(1, &entry(5, 30), 0, 3);
        table.next_generation();
        assert_eq!(depth_after(&table, &entry(7, 2)), 2);
    }

    #[test]
    fn the_size_does_not_depend_on_the_address() {
        // Several at once have different addresses.
        let mut tables: Vec<TranspositionTable> =
            (0..16).map(|_| TranspositionTable::new(1)).collect();
        for table in &mut tables {
            table.make_room(None);
            assert_eq!(table.bytes_in_use(), 1 << 20);
        }
    }

    #[test]
    fn a_short_search_uses_part_of_the_table() {
        let mut table = TranspositionTable::new(1);
        let used = |table: &mut TranspositionTable, nodes| {
            table.make_room(nodes);
            table.put(u64::MAX, &entry(5, 1), 0, NEVER);
            assert_eq!(table.get(u64::MAX, 0), Some(entry(5, 1)));
            table.bytes_in_use()
        };
        assert_eq!(used(&mut table, Some(100)), 64 * CACHE_LINE);
        assert_eq!(
            used(&mut table, Some(10)),
            64 * CACHE_LINE,
            "it stays in use"
        );
        assert_eq!(used(&mut table, Some(u64::MAX)), 1 << 20);
        assert_eq!(used(&mut table, None), 1 << 20);
        table.clear();
        assert_eq!(used(&mut table, Some(0)), CACHE_LINE);
    }

    #[test]
    fn a_growing_table_keeps_its_entries() {
        // No power of two is the size of the whole table.
        let table = TranspositionTable::new(3);
        let mut rng = crate::seeds::seeded(1);
        let mut known: Vec<(u64, TtEntry)> = Vec::new();
        for nodes in [1 << 10, 1 << 11, 1 << 15, u64::MAX] {
            table.grow(nodes);
            for depth in 0..nodes.min(1 << 15) as i32 / 64 {
                let (key, entry) = (rng.random(), entry(0, depth % 100));
                table.put(key, &entry, 0, NEVER);
                known.push((key, entry));
            }
            for (key, entry) in &known {
                assert_eq!(table.get(*key, 0).as_ref(), Some(entry));
            }
        }
        assert_eq!(known.len(), 16 + 32 + 512 + 512);
    }

    #[test]
    fn a_table_without_enough_memory_is_smaller() {
        // More than processors can address.
        let mut table = TranspositionTable::new(1 << 40);
        assert!(table.bytes() < 1 << 58 && table.bytes().is_power_of_two());
        table.put(7, &entry(3, 1), 0, NEVER);
        assert_eq!(table.get(7, 0), Some(entry(3, 1)));
        table.clear();
    }
}
