//! Runs numbered jobs on several threads and hands over their results in order.

use std::any::Any;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

/// A stop flag that is never set, for functions that need one.
pub static NEVER: AtomicBool = AtomicBool::new(false);

/// The result of a job of any type.
type AnyResult = Box<dyn Any + Send>;

/// How jobs are run.
#[derive(Clone, Copy)]
pub struct Jobs<'a> {
    /// The number of threads. If the system gives fewer, those do the work; if it gives
    /// none, the calling thread does.
    pub threads: usize,
    /// No job is started once this is set.
    pub stop: &'a AtomicBool,
}

impl Jobs<'static> {
    /// Jobs that are never stopped.
    pub const fn unstoppable(threads: usize) -> Self {
        Self {
            threads,
            stop: &NEVER,
        }
    }
}

impl Jobs<'_> {
    /// Whether `stop` is set.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Does `work` for every number and passes each result to `take`, on this thread and in
    /// the order of the numbers.
    ///
    /// While a job takes long, the results of later ones wait in memory. Their number is not
    /// limited.
    ///
    /// Ends early, without an error, when stopped. `take` has then seen the results of the
    /// first numbers, without a gap.
    ///
    /// # Errors
    /// The first error of `take`; no job is started after it.
    pub fn run<T: Send + 'static, E>(
        &self,
        numbers: Range<u64>,
        work: impl Fn(u64) -> T + Sync,
        mut take: impl FnMut(u64, T) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut taken = Ok(());
        let work = |number| -> AnyResult { Box::new(work(number)) };
        self.run_any(numbers, &work, &mut |number, result| {
            let result = result.downcast().expect("`work` returns this type");
            taken = take(number, *result);
            taken.is_ok()
        });
        taken
    }

    /// [`Self::run`] for work that `stop` cuts short: drops the results of jobs that were
    /// running at the stop, and of all later ones.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_whole<T: Send + 'static, E>(
        &self,
        numbers: Range<u64>,
        work: impl Fn(u64) -> T + Sync,
        mut take: impl FnMut(u64, T) -> Result<(), E>,
    ) -> Result<(), E> {
        let work = |number| {
            let result = work(number);
            (!self.is_stopped()).then_some(result)
        };
        let mut has_gap = false;
        self.run(numbers, work, |number, result| {
            has_gap |= result.is_none();
            match result.filter(|_| !has_gap) {
                Some(result) => take(number, result),
                None => Ok(()),
            }
        })
    }

    /// [`Self::run`] for results of any type, until `take` returns false. It is not generic:
    /// compiled for each type, the queue and the map would be a tenth of the library.
    fn run_any(
        &self,
        numbers: Range<u64>,
        work: &(dyn Fn(u64) -> AnyResult + Sync),
        take: &mut dyn FnMut(u64, AnyResult) -> bool,
    ) {
        let next = AtomicU64::new(numbers.start);
        let failed = AtomicBool::new(false);
        let (sender, results) = mpsc::sync_channel(4 * self.threads);
        std::thread::scope(|scope| {
            let mut started = 0;
            for _ in 0..self.threads {
                if self.is_stopped() {
                    break;
                }
                let (sender, next, failed) = (sender.clone(), &next, &failed);
                let thread = std::thread::Builder::new().spawn_scoped(scope, move || {
                    while !self.is_stopped() && !failed.load(Ordering::Relaxed) {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= numbers.end || sender.send((number, work(number))).is_err() {
                            break;
                        }
                    }
                });
                if thread.is_err() {
                    break;
                }
                started += 1;
            }
            drop(sender);
            if started == 0 {
                for number in numbers.clone() {
                    if self.is_stopped() || !take(number, work(number)) {
                        break;
                    }
                }
                return;
            }
            let mut waiting = BTreeMap::new();
            let mut due = numbers.start;
            for (number, result) in results {
                waiting.insert(number, result);
                while let Some(result) = waiting.remove(&due) {
                    if !take(due, result) {
                        failed.store(true, Ordering::Relaxed);
                        return;
                    }
                    due += 1;
                }
            }
        });
    }
}

/// The maximum number of threads that options accept.
pub const MOST_THREADS: usize = 1024;

/// The default number of threads: one for each processor, at most [`MOST_THREADS`].
pub fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |threads| threads.get().min(MOST_THREADS))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn results_come_in_order_and_whole() {
        // Without threads, as if the system gave none.
        for threads in [0, 1, 3] {
            let mut seen = Vec::new();
            let jobs = Jobs::unstoppable(threads);
            let work = |number| {
                // The even ones take longer, so they come out of order.
                std::thread::sleep(std::time::Duration::from_micros(number % 2 * 300));
                number * number
            };
            let done: Result<(), ()> = jobs.run(5..60, work, |number, square| {
                seen.push((number, square));
                Ok(())
            });
            assert_eq!(done, Ok(()));
            assert_eq!(seen, (5..60).map(|n| (n, n * n)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn results_cut_short_are_dropped_with_all_later_ones() {
        for threads in [1, 2] {
            let stop = AtomicBool::new(false);
            let jobs = Jobs {
                threads,
                stop: &stop,
            };
            let work = |number| {
                // Waits for the stop, while the other thread does the next jobs.
                let begun = Instant::now();
                while number == 3 && threads == 2 && !jobs.is_stopped() {
                    assert!(
                        begun.elapsed() < Duration::from_secs(60),
                        "no second thread"
                    );
                    std::thread::yield_now();
                }
                stop.fetch_or(number == 3 + threads as u64, Ordering::Relaxed);
                number
            };
            let mut seen = Vec::new();
            let done: Result<(), ()> = jobs.run_whole(0..9, work, |_, number| {
                seen.push(number);
                Ok(())
            });
            assert_eq!(done, Ok(()));
            assert_eq!(seen, Vec::from_iter(0..if threads == 1 { 4 } else { 3 }));
        }
    }

    #[test]
    fn a_stop_or_an_error_ends_the_work_without_gaps() {
        for (by_stop, threads) in [(true, 2), (false, 2), (true, 0), (false, 0)] {
            let stop = AtomicBool::new(false);
            let jobs = Jobs {
                threads,
                stop: &stop,
            };
            let mut seen = 0;
            let done = jobs.run(
                0..100_000,
                |number| number,
                |number, _| {
                    assert_eq!(number, seen);
                    seen += 1;
                    stop.store(by_stop && seen >= 100, Ordering::Relaxed);
                    if !by_stop && seen == 100 {
                        Err("enough")
                    } else {
                        Ok(())
                    }
                },
            );
            assert_eq!(done.is_err(), !by_stop);
            assert!(seen >= 100);
        }
    }
}
