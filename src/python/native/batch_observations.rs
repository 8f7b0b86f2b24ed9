//! Observations of the games of a batch, as they are or at their end.

use numpy::Ix4;
use pyo3::prelude::*;
use santorini::at_size;

use crate::argument::Argument;
use crate::array::{Kind, filled};
use crate::batch::{Batch, run};
use crate::interruptible::Token;
use crate::planes::{self, planes};
use crate::stage::Stage;
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
        let games = &*self.read()?;
        let count = match seen {
            Seen::Now => self.count,
            Seen::Ended => at_size!(games, games => games.last.len()),
        };
        let planes = planes(self.setting.has_cards());
        let shape = [count, planes, self.size, self.size];
        let array = filled::<T, Ix4>(py, out, &shape, |planes| {
            run(py, &Token::NONE, count, false, |stop| {
                at_size!(games, games => match seen {
                    Seen::Now => {
                        let stages = games.slots.iter().map(|slot| slot.stage);
                        games.mark_planes(stages, player, planes, stop)
                    }
                    Seen::Ended => {
                        let stages = games.last.iter().map(|last| Stage::Over(last.ended));
                        games.mark_planes(stages, player, planes, stop)
                    }
                })
            })
        });
        Ok(array?.into_any())
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
