//! The messages on wrong arguments: those of clap on one line, in this program's words.

use std::error::Error as _;
use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::stdout::check_open;
use super::{CliError, CliResult, command};

/// Prints the help or version if the arguments ask for it.
///
/// # Errors
/// If the arguments are wrong.
pub(super) fn explain(error: clap::Error) -> CliResult {
    use ErrorKind::{DisplayHelp, DisplayHelpOnMissingArgumentOrSubcommand, DisplayVersion};
    match error.kind() {
        DisplayHelp | DisplayHelpOnMissingArgumentOrSubcommand | DisplayVersion => {
            if !error.use_stderr() {
                check_open().map_err(CliError::Output)?;
            }
            error.print().map_err(CliError::Output)?;
            Ok(ExitCode::from(error.exit_code() as u8))
        }
        ErrorKind::InvalidUtf8 => {
            let word = std::env::args_os().find(|word| word.to_str().is_none());
            let word = word.unwrap_or_default();
            Err(CliError::Usage(format!(
                "{word:?}: use an argument in UTF-8"
            )))
        }
        ErrorKind::InvalidSubcommand => {
            let words: Vec<OsString> = std::env::args_os().collect();
            let lists = help_command(&words);
            let text = on_one_line(error);
            Err(CliError::Usage(format!(
                "{text}; `{lists}` lists the commands"
            )))
        }
        _ => Err(CliError::Usage(
            unexpected(&error).unwrap_or_else(|| on_one_line(error)),
        )),
    }
}

/// The message on an argument that clap reports as a conflicting subcommand though there is no
/// subcommand of that name.
fn unexpected(error: &clap::Error) -> Option<String> {
    let word = match error.get(ContextKind::InvalidSubcommand)? {
        ContextValue::String(word) if error.kind() == ErrorKind::ArgumentConflict => word,
        _ => return None,
    };
    let command = command();
    let mut commands = command.get_subcommands();
    let is_command = commands.any(|command| command.find_subcommand(word).is_some());
    (!is_command).then(|| format!("unexpected argument '{word}' found"))
}

/// The command that lists the subcommands of the last command among these words.
fn help_command(words: &[OsString]) -> String {
    let (mut command, mut text) = (command(), "santorini help".to_string());
    for word in words.iter().skip(1) {
        let Some(found) = command.find_subcommand(word) else {
            break;
        };
        text += &format!(" {}", found.get_name());
        command = found.clone();
    }
    text
}

/// The message of clap on one line, without the usage and the tips on `--` and --help.
pub(super) fn on_one_line(mut error: clap::Error) -> String {
    error.remove(ContextKind::Usage);
    error.remove(ContextKind::Suggested);
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    let text = error.render().to_string();
    let text = text.split("\n\nFor more information").next();
    let text = text.unwrap_or_default();
    let text = match (text.strip_suffix(&cause), advice(&cause)) {
        (Some(start), Some(advice)) => start.to_string() + &advice,
        _ => text.replace("\n\n", "; "),
    };
    let words: Vec<&str> = text.split_whitespace().skip(1).collect();
    words.join(" ")
}

/// What to use instead of a number that clap or the standard library refuses for this cause.
fn advice(cause: &str) -> Option<String> {
    if let Some((_, range)) = cause.split_once(" is not in ") {
        let (least, most) = range.split_once("..")?;
        let most = most.strip_prefix('=').unwrap_or(most);
        let [least, most] = [least, most].map(|text| text.parse::<i128>().ok());
        let (least, most) = (least?, most?);
        // The maximum of a type is no bound of the option.
        return Some(match most >= i64::MAX.into() {
            true => format!("use a number of at least {least}"),
            false => format!("use a number from {least} to {most}"),
        });
    }
    let advice = match cause {
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "use a whole number without a sign"
        }
        "number too large to fit in target type" => "use a smaller number",
        "invalid float literal" | "cannot parse float from empty string" => "use a number",
        _ => return None,
    };
    Some(advice.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_has_the_range_of_a_number() {
        for (cause, expected) in [
            ("0 is not in 16..=4096", "use a number from 16 to 4096"),
            ("-1 is not in 0..=40", "use a number from 0 to 40"),
            (
                "0 is not in 1..18446744073709551615",
                "use a number of at least 1",
            ),
            (
                "0 is not in 1..9223372036854775807",
                "use a number of at least 1",
            ),
            (
                "invalid digit found in string",
                "use a whole number without a sign",
            ),
        ] {
            assert_eq!(advice(cause).as_deref(), Some(expected));
        }
        for cause in ["", "it is not in the file", "a is not in b..c"] {
            assert_eq!(advice(cause), None, "{cause}");
        }
    }

    #[test]
    fn the_help_of_the_last_command_is_named() {
        let named = |words: &str| {
            let words: Vec<OsString> = words.split(' ').map(Into::into).collect();
            help_command(&words)
        };
        assert_eq!(named("s foo"), "santorini help");
        assert_eq!(named("s lab foo play"), "santorini help lab");
    }
}
