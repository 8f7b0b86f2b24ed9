//! The file of search parameters, as readable text. Players load their parameters from it,
//! and tuning resumes from it.
//!
//! A line is a name, a space and a value. Two more lines, `pairs` and `run`, have the
//! progress of tuning and the options it was started with. Empty lines and lines that begin
//! with `#` are skipped.

use std::fmt;
use std::str::FromStr;

use crate::files::Kind;
use crate::search::{Params, Tunable};

/// Recognises a file of search parameters by its first line that is not a comment.
pub const PARAMS_FILE: Kind = Kind {
    name: "a file of search parameters",
    begins: |head| {
        let text = String::from_utf8_lossy(head);
        let mut lines = text.lines().map(str::trim);
        let line = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
        let name = line.and_then(|line| line.split_whitespace().next());
        name.is_some_and(|name| {
            ["pairs", "run"].contains(&name) || Tunable::by_name(name).is_some()
        })
    },
};

/// Search parameters, each with a value within its bounds.
pub type Values = Vec<(&'static Tunable, f64)>;

/// The contents of a file.
#[derive(Debug)]
pub struct ParamsFile {
    /// The parameters and their values.
    pub values: Values,
    /// The state of tuning; `None` if the file was not written by tuning.
    pub run: Option<Run>,
}

/// The progress of tuning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// The pairs of games played.
    pub pairs: u64,
    /// The options that the games depend on.
    pub options: String,
}

/// Why a text is not a parameter file.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParamsFileError {
    /// A line has another form. Lines are counted from 1 here and below.
    #[error("line {0}: expected a name and a value, found {1:?}")]
    Form(usize, String),
    /// There is no search parameter of this name.
    #[error(
        "line {0}: {1:?} is not a search parameter; use one of {names}",
        names = Tunable::names()
    )]
    Name(usize, String),
    /// The value is not a number, or out of range.
    #[error("line {line}: {name} must be a number from {min} to {max}, not {value:?}")]
    Value {
        /// The number of the line.
        line: usize,
        /// The name of the parameter.
        name: &'static str,
        /// The smallest valid value.
        min: i32,
        /// The largest valid value.
        max: i32,
        /// The value as given.
        value: String,
    },
    /// The number of pairs played is invalid.
    #[error("line {0}: `pairs` must be a whole number, not {1:?}")]
    Pairs(usize, String),
    /// The name also occurs on an earlier line.
    #[error("line {0}: {1} appears twice")]
    Twice(usize, String),
    /// The file has one of the two lines that tuning writes.
    #[error("only one of the lines `pairs` and `run` is present; keep both or neither")]
    HalfRun,
    /// The text has no parameters.
    #[error("the file has no parameters")]
    Empty,
}

/// The values of some parameters.
pub fn values_of<'a>(
    tunables: impl IntoIterator<Item = &'a Tunable>,
    params: &Params,
) -> Vec<(&'a Tunable, f64)> {
    let value = |tunable: &Tunable| f64::from((tunable.get)(params));
    let tunables = tunables.into_iter();
    tunables.map(|tunable| (tunable, value(tunable))).collect()
}

impl ParamsFile {
    /// The search parameters: the values of the file, rounded, and the values of `params`
    /// for all others.
    pub fn params(&self, mut params: Params) -> Params {
        for (tunable, value) in &self.values {
            // Bounds are whole numbers, so a rounded value stays within them.
            (tunable.set)(&mut params, value.round() as i32);
        }
        params
    }
}

impl FromStr for ParamsFile {
    type Err = ParamsFileError;

    fn from_str(text: &str) -> Result<Self, ParamsFileError> {
        let mut values = Values::new();
        let (mut pairs, mut options) = (None, None);
        for (index, text) in text.lines().enumerate() {
            let (line, text) = (index + 1, text.trim());
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let parts = text.split_once(char::is_whitespace);
            let form = || ParamsFileError::Form(line, text.to_string());
            let (name, value) = parts.ok_or_else(form)?;
            let value = value.trim();
            let is_new = match name {
                "pairs" => {
                    let wrong = |_| ParamsFileError::Pairs(line, value.to_string());
                    pairs.replace(value.parse().map_err(wrong)?).is_none()
                }
                "run" => options.replace(value.to_string()).is_none(),
                _ => {
                    let (tunable, value) = read_value(line, name, value)?;
                    let known = values.iter().any(|&(other, _)| other.name == name);
                    values.push((tunable, value));
                    !known
                }
            };
            if !is_new {
                return Err(ParamsFileError::Twice(line, name.to_string()));
            }
        }
        if values.is_empty() {
            return Err(ParamsFileError::Empty);
        }
        let run = match (pairs, options) {
            (Some(pairs), Some(options)) => Some(Run { pairs, options }),
            (None, None) => None,
            _ => return Err(ParamsFileError::HalfRun),
        };
        Ok(Self { values, run })
    }
}

fn read_value(
    line: usize,
    name: &str,
    value: &str,
) -> Result<(&'static Tunable, f64), ParamsFileError> {
    let unknown = || ParamsFileError::Name(line, name.to_string());
    let tunable = Tunable::by_name(name).ok_or_else(unknown)?;
    let range = f64::from(tunable.min)..=f64::from(tunable.max);
    let number = value.parse::<f64>().ok();
    let number = number.filter(|number| range.contains(number));
    let number = number.ok_or_else(|| ParamsFileError::Value {
        line,
        name: tunable.name,
        min: tunable.min,
        max: tunable.max,
        value: value.to_string(),
    })?;
    Ok((tunable, number))
}

impl fmt::Display for ParamsFile {
    /// Text that is read back as the same values, to the last bit.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# Numbers of the search: santorini player --params FILE")?;
        if let Some(Run { pairs, options }) = &self.run {
            writeln!(
                f,
                "# Found by: santorini tune {options} --pairs {pairs} --out FILE"
            )?;
            writeln!(f, "pairs {pairs}\nrun {options}")?;
        }
        for (tunable, value) in &self.values {
            writeln!(f, "{} {value}", tunable.name)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::TUNABLE;

    fn read(text: &str) -> Result<ParamsFile, ParamsFileError> {
        text.parse()
    }

    #[test]
    fn files_read_back() {
        let mut values = values_of(TUNABLE, &Params::DEFAULT);
        values[0].1 = 41.0 + 1.0 / 3.0;
        let options = "--nodes 200 --openings 'my book'".to_string();
        let run = Some(Run { pairs: 64, options });
        for run in [run, None] {
            let file = ParamsFile {
                values: values.clone(),
                run,
            };
            let text = file.to_string();
            let command = "santorini tune --nodes 200 --openings 'my book' --pairs 64 --out FILE";
            assert_eq!(text.contains(command), file.run.is_some());
            let again = read(&text).unwrap();
            assert_eq!((&again.values, &again.run), (&file.values, &file.run));
            let params = again.params(Params::DEFAULT);
            assert_eq!(params.aspiration_window, 41);
            let default = Params::DEFAULT;
            assert_eq!(
                params,
                Params {
                    aspiration_window: 41,
                    ..default
                }
            );
        }
    }

    #[test]
    fn handwritten_files_may_omit_parameters() {
        let file = read("# mine\n\n  climb_value \t 3000.6 \nreduction_base -50\n").unwrap();
        let expected = Params {
            climb_value: 3001,
            reduction_base: -50,
            ..Params::DEFAULT
        };
        assert_eq!((file.params(Params::DEFAULT), file.run), (expected, None));
    }

    #[test]
    fn errors_name_the_line_and_the_value() {
        let wrong = |text: &str| read(text).unwrap_err().to_string();
        let first = "climb_value 3000\n";
        assert_eq!(
            wrong(&format!("{first}climb_value\n")),
            "line 2: expected a name and a value, found \"climb_value\""
        );
        assert!(wrong("climb 3000").starts_with(
            "line 1: \"climb\" is not a search parameter; use one of aspiration_window, "
        ));
        for value in ["8000.1", "-1", "NaN", "inf", "3000 1", "x"] {
            assert_eq!(
                wrong(&format!("climb_value {value}")),
                format!("line 1: climb_value must be a number from 0 to 8000, not {value:?}")
            );
        }
        assert_eq!(wrong(&first.repeat(2)), "line 2: climb_value appears twice");
        assert_eq!(
            wrong(&format!("pairs 1\npairs 1\n{first}")),
            "line 2: pairs appears twice"
        );
        assert!(wrong("pairs -1").contains("whole number"));
        assert_eq!(
            read(&format!("{first}pairs 3")).unwrap_err(),
            ParamsFileError::HalfRun
        );
        assert_eq!(read("# nothing\n").unwrap_err(), ParamsFileError::Empty);
    }
}
