//! How many searches run at the same time. Somebody who waits for a turn does
//! not wait behind those who study positions for minutes.

use std::sync::Arc;

use tokio::sync::{Semaphore, SemaphorePermit};

use super::super::Work;
use crate::jobs::default_threads;

/// Searches that make turns. They are over soon.
const TURNS: usize = 2;

/// The slots of all pages together.
#[derive(Debug, Clone)]
pub struct Slots {
    quick: Arc<Semaphore>,
    turns: Arc<Semaphore>,
    studies: Arc<Semaphore>,
}

impl Slots {
    /// As many as this machine can do at the same time.
    pub fn for_this_machine() -> Self {
        let slots = |number| Arc::new(Semaphore::new(number));
        let processors = default_threads();
        Self {
            quick: slots(processors),
            turns: slots(TURNS),
            studies: slots((processors / 2).clamp(1, 4)),
        }
    }

    /// A slot for this kind of work, if there is one just now.
    pub fn try_take(&self, work: Work) -> Option<SemaphorePermit<'_>> {
        self.of(work).try_acquire().ok()
    }

    /// Waits for a slot.
    pub async fn take(&self, work: Work) -> SemaphorePermit<'_> {
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
