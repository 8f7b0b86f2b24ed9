//! The engines of a match, each given as a list of options.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Parser;

use crate::cli::engine::{EngineArgs, EvalArg};
use crate::cli::on_one_line;
use crate::search::EngineOptions;

/// One of the two engines.
#[derive(Clone)]
pub(super) struct Contender {
    pub name: String,
    /// The options as typed, with checksums of the files that they name.
    pub exact_text: String,
    pub options: EngineOptions,
    pub eval: EvalArg,
    /// The files that the options name.
    pub files: Vec<PathBuf>,
}

/// The options of an engine, parsed as a command line.
#[derive(Parser)]
#[command(
    bin_name = "santorini duel",
    no_binary_name = true,
    disable_help_flag = true
)]
struct ContenderArgs {
    #[command(flatten)]
    engine: EngineArgs,
}

impl FromStr for Contender {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, options) = match text.split_once('=') {
            Some((name, options)) if !name.starts_with('-') => (name, options),
            _ => ("", text),
        };
        let words =
            shlex::split(options).ok_or_else(|| format!("{options:?} has an unclosed quote"))?;
        let args = ContenderArgs::try_parse_from(words).map_err(on_one_line)?;
        let options = options.trim();
        let names = [name.trim(), options, "built-in"];
        let name = names.into_iter().find(|name| !name.is_empty());
        let checksums = args.engine.checksums();
        let checksums = checksums.iter().map(|sum| format!(" #{sum}"));
        Ok(Self {
            name: name.unwrap_or_default().to_string(),
            exact_text: format!("{options}{}", checksums.collect::<String>()),
            eval: args.engine.eval().clone(),
            options: args.engine.options_with(1),
            files: args.engine.files().map(Path::to_path_buf).collect(),
        })
    }
}

/// The names of the engines, made different if they are equal.
pub(super) fn names(first: &Contender, second: &Contender) -> [String; 2] {
    if first.name == second.name {
        return [1, 2].map(|number| format!("{} ({number})", first.name));
    }
    [first.name.clone(), second.name.clone()]
}
