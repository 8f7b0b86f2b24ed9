//! Observations of the games of a batch, as they are or at their end.

use numpy::Ix4;
use pyo3::prelude::*;
use santorini::at_size;

use crate::argument::Argument;
use crate::array::{Kind, Values, output};
use crate::batch::Batch;
use crate::batch_options::{FEW, run};
use crate::interruptible::Token;
use crate::planes::{self, planes};
use crate::view::read_player;

/// The games that are observed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// All games, as they are.
    Now,
    /// The games that the last step ended, at their end.
    Ended,
}

impl Batch {
    fn planes_of<'py, T: planes::Value>(
        &self,
        py: Python<'py>,
        out: Option<&Argument<'py>>,
        player: Option<u8>,
        seen: Seen,
    ) -> PyResult<Bound<'py, PyAny>> {
        let games = self.read()?;
        let games = &*games;
        let count = match seen {
            Seen::Now => self.count,
            Seen::Ended => at_size!(games, games => games.last.len()),
        };
        let planes = planes(self.setting.has_cards());
        let shape = [count, planes, games.size(), games.size()];
        let out = output::<T, Ix4>(py, out, &shape)?;
        let mut values = Values::of(&out)?;
        let planes = values.slice()?;
        let work = |stop: &_| match seen {
            Seen::Now => at_size!(games, games => games.mark_planes(player, planes, stop)),
            Seen::Ended => at_size!(games, games => games.mark_last(player, planes, stop)),
        };
        run(py, &Token::NONE, (count, count > FEW), work)?;
        Ok(out.into_any())
    }

    /// The planes of the games, as an array.
    pub fn observe<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Argument<'py>>,
        dtype: Option<&Argument<'py>>,
        player: Option<&Argument<'py>>,
        seen: Seen,
    ) -> PyResult<Bound<'py, PyAny>> {
        let player = read_player(player)?;
        match Kind::read(dtype, out)? {
            Kind::Bytes => self.planes_of::<u8>(py, out, player, seen),
            Kind::Floats => self.planes_of::<f32>(py, out, player, seen),
        }
    }
}
