//! What is wrong with the arguments, in one line: what was said, and what would
//! be right.

use std::error::Error;
use std::ffi::OsString;
use std::net::AddrParseError;
use std::num::{ParseFloatError, ParseIntError};

use clap::builder::ValueParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use super::help::has_guide;

/// A command that reads arguments. A number may be negative: that it must not
/// be is then said of the number and not of an option called -1.
pub fn prepared(command: Command) -> Command {
    let mut command = with_negative_numbers(command);
    command.build();
    command
}

fn with_negative_numbers(command: Command) -> Command {
    let allow = |arg: Arg| {
        let takes_values = arg.get_action().takes_values();
        arg.allow_negative_numbers(takes_values)
    };
    command
        .mut_args(allow)
        .mut_subcommands(with_negative_numbers)
}

/// The command that the words name: the program's, or a subcommand.
pub fn named<'a>(command: &'a Command, words: &'a [OsString]) -> &'a Command {
    words.iter().fold(command, |command, word| {
        command.find_subcommand(word).unwrap_or(command)
    })
}

/// What is wrong with the arguments of a command.
pub fn one_line(error: &clap::Error, command: &Command) -> String {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.as_str(),
        _ => "",
    };
    let (argument, value) = (
        text(ContextKind::InvalidArg),
        text(ContextKind::InvalidValue),
    );
    let wrong = match value {
        "" => format!("a value is required for '{argument}'"),
        _ => format!("invalid value '{value}' for '{argument}'"),
    };
    match (error.kind(), error.get(ContextKind::ValidValue)) {
        (ErrorKind::ValueValidation, _) => {
            let found = command
                .get_arguments()
                .find(|arg| arg.to_string() == argument);
            let variable = found.and_then(|arg| variable_of(arg, value));
            format!(
                "{wrong}{}: {}",
                variable.unwrap_or_default(),
                reason(error, found)
            )
        }
        (ErrorKind::InvalidValue, Some(ContextValue::Strings(values))) if !values.is_empty() => {
            format!("{wrong}: say {}", listed(values))
        }
        (ErrorKind::InvalidSubcommand, _) => {
            let visible = command.get_subcommands().filter(|sub| !sub.is_hide_set());
            let names: Vec<&str> = visible.map(Command::get_name).collect();
            let word = text(ContextKind::InvalidSubcommand);
            match has_guide(word) {
                true => {
                    format!("there is no command '{word}', but a guide: `santorini help {word}`")
                }
                false => format!("there is no command '{word}': say {}", listed(&names)),
            }
        }
        _ => joined(error, command),
    }
}

/// Where the value comes from if not from the arguments.
fn variable_of(arg: &Arg, value: &str) -> Option<String> {
    let variable = arg.get_env()?;
    let is_given = std::env::var_os(variable).is_some_and(|given| given == value);
    is_given.then(|| format!(" (from {})", variable.display()))
}

/// Why a value is not as it should be. What the standard library says of
/// numbers and addresses helps nobody.
fn reason(error: &clap::Error, arg: Option<&Arg>) -> String {
    let Some(source) = error.source() else {
        return "it is not understood".into();
    };
    let text = source.to_string();
    if source.is::<ParseFloatError>() {
        "say a number, such as 0.5".into()
    } else if source.is::<AddrParseError>() {
        "say an IP address and a port, such as 127.0.0.1:7878".into()
    } else if source.is::<ParseIntError>() || text.contains(OUTSIDE) {
        let bounds = arg.and_then(|arg| bounds(arg.get_value_parser()));
        format!("say a whole number{}", bounds.unwrap_or_default())
    } else {
        text
    }
}

/// What clap says of a number out of bounds, between the number and the bounds.
const OUTSIDE: &str = " is not in ";

/// The bounds of the numbers that a parser takes, in words. It does not tell
/// them of itself, but complains of numbers that lie outside.
fn bounds(parser: &ValueParser) -> Option<String> {
    let outside = [i64::MIN.to_string(), "0".into(), u64::MAX.to_string()];
    outside.into_iter().find_map(|number| {
        let arg = Arg::new("n").value_parser(parser.clone());
        let command = Command::new("").no_binary_name(true);
        let command = command.arg(arg.allow_negative_numbers(true));
        let complaint = command.try_get_matches_from([number]).err()?;
        let complaint = complaint.source()?.to_string();
        let (_, range) = complaint.split_once(OUTSIDE)?;
        let (least, greatest) = range.split_once("..")?;
        Some(match greatest.trim_start_matches('=').parse::<u64>() {
            Ok(greatest) if !is_largest(greatest) => format!(" from {least} to {greatest}"),
            _ => format!(" of {least} or more"),
        })
    })
}

/// Whether a bound is only that of the numbers that fit.
const fn is_largest(number: u64) -> bool {
    matches!(number, 0xff | 0xffff | 0xffff_ffff | 0x7fff_ffff | u64::MAX)
}

/// Clap's own words on one line.
fn joined(error: &clap::Error, command: &Command) -> String {
    let text = error.render().to_string();
    let mut parts = Vec::new();
    for paragraph in text.split("\n\n") {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        let line = words.join(" ");
        match line.split_once(": ") {
            Some(("error", wrong)) => parts.push(wrong.to_string()),
            // How to pass it as a value is not what anybody wants to know.
            Some(("tip", tip)) if !tip.starts_with("to pass ") => parts.push(tip.to_string()),
            Some(("Usage", _)) => {
                let name = command.get_bin_name().unwrap_or(command.get_name());
                parts.push(format!("`{name} --help` tells what there is"));
            }
            _ => {}
        }
    }
    parts.join("; ")
}

/// The words as an enumeration.
fn listed<S: AsRef<str>>(words: &[S]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => words.concat(),
    }
}
