//! Scenes of either board size, for input that determines the size at run time.

use serde_json::Value;

use super::scene::Scene;
use super::source::{Boards, Source, SourceError, value_size};
use crate::rules::AnySize;

/// A scene on a board of either size.
pub type AnyScene = AnySize<Scene<5>, Scene<6>>;

impl From<Scene<5>> for AnyScene {
    fn from(scene: Scene<5>) -> Self {
        Self::Five(scene)
    }
}

impl From<Scene<6>> for AnyScene {
    fn from(scene: Scene<6>) -> Self {
        Self::Six(scene)
    }
}

/// A [`Source`] for a stream of boards of both sizes.
#[derive(Default)]
pub struct AnySource {
    five: Source<5>,
    six: Source<6>,
}

impl AnySource {
    /// As [`Source::add`].
    ///
    /// # Errors
    /// If the value cannot be drawn.
    pub fn add(&mut self, value: &Value) -> Result<Boards<AnyScene>, SourceError> {
        match value_size(value)? {
            Some(6) => {
                self.five.begin();
                Ok(self.six.add(value)?.into_any())
            }
            // A value without a board is a set-up array or invalid.
            Some(_) | None => {
                self.six.begin();
                Ok(self.five.add(value)?.into_any())
            }
        }
    }
}

impl<S: Into<AnyScene>> Boards<S> {
    fn into_any(self) -> Boards<AnyScene> {
        Boards {
            scenes: self.scenes.into_iter().map(Into::into).collect(),
            begins: self.begins,
            number: self.number,
        }
    }
}
