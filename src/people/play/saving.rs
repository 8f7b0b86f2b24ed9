//! Saves the game of a session, and says where it is.

use std::io;

use super::autosave::{Autosave, default_file};
use super::cursor::GameCursor;
use super::session::{Session, SessionError};
use crate::printable::{printable, shown};
use crate::shell::{own_name, quoted};

impl<const N: usize> Session<N> {
    /// Moves an unfinished game out of the way of a new one, and says where it is.
    pub(super) fn set_aside(&mut self) -> Result<(), SessionError> {
        let autosave = self.options.autosave.as_ref();
        match autosave.map_or(Ok(None), Autosave::set_aside) {
            Ok(None) => Ok(()),
            Ok(Some(file)) => self.put(&format!(
                "the last game, which is not finished, is kept; resume it with: {} play --resume \
                 --keep {}",
                own_name(),
                printable(&quoted(&file.display().to_string()))
            )),
            Err(error) => self.stop_saving(&error),
        }
    }

    /// Saves the game. Reports the first failure and then stops saving.
    pub(super) fn autosave(&mut self, cursor: &GameCursor<N>) -> Result<(), SessionError> {
        let Some(autosave) = &mut self.options.autosave else {
            return Ok(());
        };
        let old = shown(&autosave.file);
        match autosave.write(cursor) {
            Ok(false) => Ok(()),
            Ok(true) => {
                let new = shown(&autosave.file);
                self.say(&format!(
                    "another game is saved in {old} now, so this one is saved in {new}"
                ))
            }
            Err(error) => self.stop_saving(&error),
        }
    }

    fn stop_saving(&mut self, error: &io::Error) -> Result<(), SessionError> {
        let Some(autosave) = self.options.autosave.take() else {
            return Ok(());
        };
        let file = shown(&autosave.file);
        self.say(&format!("cannot save the game: {file}: {error}"))
    }

    /// Says where the game is saved, and how to resume it.
    pub(super) fn say_where_it_is_saved(&mut self) -> Result<(), SessionError> {
        let Some(autosave) = &mut self.options.autosave else {
            return Ok(());
        };
        if let Err(error) = autosave.keep() {
            return self.stop_saving(&error);
        }
        let file = shown(&autosave.file);
        let named = match default_file() {
            Some(usual) if usual == autosave.file => String::new(),
            _ => {
                let path = autosave.file.display().to_string();
                format!(" --keep {}", printable(&quoted(&path)))
            }
        };
        self.put(&format!(
            "the game is saved in {file}; resume it with: {} play --resume{named}{}",
            own_name(),
            printable(&self.options.resume_options)
        ))
    }
}
