//! The options of a session.

use crate::eval::EvalKind;
use crate::files::read_file;
use crate::jobs::MOST_THREADS;
use crate::search::{EngineOptions, MOST_HASH_MIB};

/// The options that `setoption` sets.
#[derive(Debug, Clone, Copy)]
pub(super) struct UciOptions {
    pub engine: EngineOptions,
    /// The number of best turns to search and report.
    pub multi_pv: usize,
    /// A remark about the file of the evaluation, for people.
    pub remark: Option<&'static str>,
}

/// The maximum number of lines.
const MOST_LINES: usize = 500;

impl UciOptions {
    /// The lines that list the options in the answer to `uci`.
    pub(super) fn listed(&self) -> Vec<String> {
        let spin = |name: &str, default: usize, most: usize| {
            format!("option name {name} type spin default {default} min 1 max {most}")
        };
        vec![
            spin("Hash", self.engine.hash_mib, MOST_HASH_MIB),
            spin("Threads", self.engine.threads, MOST_THREADS),
            spin("MultiPV", self.multi_pv, MOST_LINES),
            "option name Eval type string default network".into(),
        ]
    }

    /// Sets one option. Returns the new options, and whether the engines must be created
    /// anew.
    ///
    /// # Errors
    /// If the option is unknown or the value is invalid.
    pub(super) fn with(mut self, name: &str, value: &str) -> Result<(Self, bool), String> {
        let number = |most: usize| {
            let number = value.parse::<usize>().ok();
            let number = number.filter(|number| (1..=most).contains(number));
            number.ok_or_else(|| format!("{name} takes a number from 1 to {most}, not {value:?}"))
        };
        let mut new_engine = true;
        match name.to_ascii_lowercase().as_str() {
            "hash" => self.engine.hash_mib = number(MOST_HASH_MIB)?,
            "threads" => self.engine.threads = number(MOST_THREADS)?,
            "multipv" => {
                self.multi_pv = number(MOST_LINES)?;
                new_engine = false;
            }
            "eval" => {
                let eval = EvalKind::named(value, read_file);
                let eval = eval.map_err(|error| format!("{name}: {error}"))?;
                (self.engine.eval, self.remark) = eval;
            }
            _ => {
                return Err(format!(
                    "unknown option {name:?}; the options are Hash, Threads, MultiPV and Eval"
                ));
            }
        }
        Ok((self, new_engine))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> UciOptions {
        UciOptions {
            engine: EngineOptions::default(),
            multi_pv: 1,
            remark: None,
        }
    }

    #[test]
    fn option_names_are_case_insensitive() {
        let (set, new_engine) = options().with("hash", "64").unwrap();
        assert_eq!((set.engine.hash_mib, new_engine), (64, true));
        let (set, new_engine) = set.with("MultiPV", "3").unwrap();
        assert_eq!(
            (set.multi_pv, set.engine.hash_mib, new_engine),
            (3, 64, false)
        );
        let (set, _) = set.with("Eval", "tuned").unwrap();
        assert_eq!(set.engine.eval, EvalKind::built_in("tuned").unwrap());
        assert_eq!(set.listed().len(), 4);
    }

    #[test]
    fn invalid_values_are_named() {
        for (name, value, said) in [
            ("Hash", "0", "from 1 to 1048576"),
            ("Threads", "many", "not \"many\""),
            ("MultiPV", "501", "from 1 to 500"),
            ("Eval", "no/such.bin", "no/such.bin"),
            ("Ponder", "true", "unknown option \"Ponder\""),
        ] {
            let error = options().with(name, value).unwrap_err();
            assert!(error.contains(said), "{name}: {error}");
        }
    }
}
