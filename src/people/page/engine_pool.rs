//! Engines kept between questions: one for each simultaneous search. The caller limits
//! their number.

use std::sync::Mutex;

use crate::mutex::MutexExt as _;
use crate::search::{Engine, EngineOptions};

/// Idle engines for both board sizes.
pub(super) struct EnginePool {
    options: EngineOptions,
    pub(super) five: Pool<5>,
    pub(super) six: Pool<6>,
}

/// The idle engines of one size.
pub(super) type Pool<const N: usize> = Mutex<Vec<Engine<N>>>;

/// The maximum number of idle engines of each size; more are not worth their memory.
const MOST_IDLE: usize = 2;

impl EnginePool {
    /// Creates an empty pool. Its engines will have these options.
    pub(super) fn new(options: EngineOptions) -> Self {
        Self {
            options,
            five: Pool::default(),
            six: Pool::default(),
        }
    }

    /// Runs `work` with an engine of a pool. The engine keeps the results of earlier
    /// searches, unless `afresh` is set.
    pub(super) fn with<const N: usize, T>(
        &self,
        pool: &Pool<N>,
        afresh: bool,
        work: impl FnOnce(&mut Engine<N>) -> T,
    ) -> T {
        let idle = || pool.locked();
        let kept = idle().pop();
        let mut engine = match kept {
            Some(mut engine) => {
                if afresh {
                    engine.clear();
                }
                engine
            }
            None => Engine::new(self.options),
        };
        let result = work(&mut engine);
        let mut idle = idle();
        if idle.len() < MOST_IDLE {
            idle.push(engine);
        }
        result
    }
}

/// Evaluates an expression for a position and an engine of its size.
macro_rules! with_engine {
    ($engines:expr, $afresh:expr, $any:expr, ($engine:ident, $position:ident) => $value:expr) => {
        match $any {
            $crate::rules::AnySize::Five($position) => {
                $engines.with(&$engines.five, $afresh, |$engine| $value)
            }
            $crate::rules::AnySize::Six($position) => {
                $engines.with(&$engines.six, $afresh, |$engine| $value)
            }
        }
    };
}
pub(super) use with_engine;
