//! The options of a session.

use crate::eval::EvalKind;
use crate::files::read_file;
use crate::search::EngineOptions;

/// What `setoption` can set.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    pub engine: EngineOptions,
    /// How many of the best turns are searched and told.
    pub multi_pv: usize,
    /// What people should know of the file of the evaluation.
    pub remark: Option<&'static str>,
}

/// The most threads, mebibytes and lines that can be asked for.
const MOST_THREADS: usize = 1024;
const MOST_HASH: usize = 65_536;
const MOST_LINES: usize = 500;

impl Options {
    /// Each option in a line, as the answer to `uci` lists them.
    pub fn listed(&self) -> Vec<String> {
        let spin = |name: &str, default: usize, most: usize| {
            format!("option name {name} type spin default {default} min 1 max {most}")
        };
        vec![
            spin("Hash", self.engine.hash_mib, MOST_HASH),
            spin("Threads", self.engine.threads, MOST_THREADS),
            spin("MultiPV", self.multi_pv, MOST_LINES),
            "option name Eval type string default network".into(),
        ]
    }

    /// The options with one of them set; whether the engine must be made anew.
    ///
    /// # Errors
    /// If there is no such option, or the value is wrong.
    pub fn with(mut self, name: &str, value: &str) -> Result<(Self, bool), String> {
        let number = |most: usize| {
            let number = value.parse::<usize>().ok();
            let number = number.filter(|number| (1..=most).contains(number));
            number.ok_or_else(|| format!("{name} takes a number from 1 to {most}, not {value:?}"))
        };
        let mut new_engine = true;
        match name.to_ascii_lowercase().as_str() {
            "hash" => self.engine.hash_mib = number(MOST_HASH)?,
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
                    "there is no option {name:?}; there are Hash, Threads, MultiPV and Eval"
                ));
            }
        }
        Ok((self, new_engine))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        Options {
            engine: EngineOptions::default(),
            multi_pv: 1,
            remark: None,
        }
    }

    #[test]
    fn options_are_set_by_names_of_any_case() {
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
    fn wrong_values_are_named() {
        for (name, value, said) in [
            ("Hash", "0", "from 1 to 65536"),
            ("Threads", "many", "not \"many\""),
            ("MultiPV", "501", "from 1 to 500"),
            ("Eval", "no/such.bin", "no/such.bin"),
            ("Ponder", "true", "there is no option \"Ponder\""),
        ] {
            let error = options().with(name, value).unwrap_err();
            assert!(error.contains(said), "{name}: {error}");
        }
    }
}
