//! The options of a batch, and long work on it.

use std::sync::atomic::AtomicBool;

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PySequence, PyString};

use crate::argument::{self, Argument, wrong_type, wrong_value};
use crate::convert::{read_card_pair, wrong};
use crate::interruptible::{Token, stoppable, stopped};
use crate::stages::{Deal, Setting, Start, Undone};

/// Maximum games handled without a way to interrupt the work.
pub const FEW: usize = 4096;

/// Games with more random turns than this take long to begin.
const FEW_TURNS: u32 = 12;

impl Setting {
    /// Whether a game takes long to begin.
    pub fn begins_slowly(&self) -> bool {
        matches!(self.start, Start::Random(turns) if turns > FEW_TURNS)
    }
}

/// Runs `work` on `count` games without the GIL. Long work can be stopped, see
/// [`stoppable`].
pub fn run<T: Send>(
    py: Python<'_>,
    token: &Token,
    (count, is_long): (usize, bool),
    work: impl FnOnce(&AtomicBool) -> Result<T, Undone> + Send,
) -> PyResult<T> {
    let done = if is_long {
        stoppable(py, token, |stop| work(stop))?.whole()?
    } else {
        py.detach(|| work(&AtomicBool::new(false)))
    };
    done.map_err(|undone| match undone {
        Undone::Stopped => stopped(),
        Undone::Memory(bytes) => PyMemoryError::new_err(format!(
            "there is no memory for {count} games: {bytes} bytes"
        )),
    })
}

/// The argument `cards`.
pub fn read_deal(cards: Option<&Argument<'_>>) -> PyResult<Deal> {
    const RIGHT: &str = "two names, \"random\" or None";
    let Some(cards) = cards else {
        return Ok(Deal::None);
    };
    if cards.is_instance_of::<PyString>() {
        return match &*argument::text("cards", cards)? {
            "random" => Ok(Deal::Random),
            _ => Err(wrong_value("cards", cards, RIGHT)),
        };
    }
    if cards.cast::<PySequence>().is_err() {
        return Err(wrong_type("cards", cards, RIGHT));
    }
    read_card_pair(cards).map(Deal::Pair)
}

/// The arguments `start` and `turns`.
pub fn read_start(start: Option<&Argument<'_>>, turns: u32) -> PyResult<Start> {
    let is_random = match start {
        None => false,
        Some(start) => match &*argument::text("start", start)? {
            "empty" => false,
            "random" => true,
            _ => return Err(wrong_value("start", start, "\"empty\" or \"random\"")),
        },
    };
    match (is_random, turns) {
        (true, _) => Ok(Start::Random(turns)),
        (false, 0) => Ok(Start::Empty),
        (false, _) => Err(wrong(format!(
            "turns is {turns}; it should be 0 unless start is \"random\""
        ))),
    }
}
