//! Limits how many searches run at the same time. A person who waits for a turn does not
//! wait behind minutes of analysis.

use std::sync::Arc;

use tokio::sync::{Semaphore, SemaphorePermit};

use super::super::Work;
use crate::jobs::default_threads;

/// The maximum searches for turns. They are short.
const TURNS: usize = 2;

/// The search slots shared by all pages.
#[derive(Debug, Clone)]
pub(super) struct Slots {
    quick: Arc<Semaphore>,
    turns: Arc<Semaphore>,
    studies: Arc<Semaphore>,
}

impl Slots {
    /// Creates as many slots as this machine can run at the same time.
    pub(super) fn for_this_machine() -> Self {
        let slots = |number| Arc::new(Semaphore::new(number));
        let processors = default_threads();
        Self {
            quick: slots(processors),
            turns: slots(TURNS),
            studies: slots((processors / 2).clamp(1, 4)),
        }
    }

    /// A slot for this kind of work, if one is free.
    pub(super) fn try_take(&self, work: Work) -> Option<SemaphorePermit<'_>> {
        self.of(work).try_acquire().ok()
    }

    /// Waits for a slot.
    pub(super) async fn take(&self, work: Work) -> SemaphorePermit<'_> {
        let permit = self.of(work).acquire().await;
        permit.expect("the slots are never closed")
    }

    fn of(&self, work: Work) -> &Semaphore {
        match work {
            Work::Quick => &self.quick,
            Work::Turn => &self.turns,
            Work::Study => &self.studies,
        }
    }
}
