//! `santorini help`: the commands in groups, each command, and guides.
//!
//! | to see or change | look at |
//! |---|---|
//! | what a name shows | `mod.rs` (here) |
//! | the groups of commands | `groups.rs` |
//! | the guides | `topics.rs`, and the files that it includes |
//! | showing a text page by page | `pager.rs` |
//! | the test of all commands in documents | `documents.rs` |

#[cfg(test)]
mod documents;
mod groups;
mod pager;
mod topics;

use std::process::ExitCode;

use clap::Command;
use clap::builder::StyledStr;

use super::{CliError, CliResult};
use crate::draw::Style;

pub(super) use groups::template;

/// Explain the commands and topics of this program
///
/// Examples:
///   santorini help tournament     the options of a command
///   santorini help lab play       of a subcommand
///   santorini help tournaments    a guide
///
/// Without a name it lists all commands and topics. NAME is a command, a command
/// with its subcommand, or a topic. If a command and a topic have the same name, the
/// options of the command come first, then the guide.
///
/// On a terminal, long texts are shown with the pager in the environment variable
/// PAGER, or else with less.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// A command or a topic.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let text = explain(super::command(), &args.names)?;
    let text = match Style::for_stdout() {
        Style::Colour | Style::LargeColour => text.ansi().to_string(),
        Style::Ascii | Style::Unicode => text.to_string(),
    };
    pager::show(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// All names that `santorini help` accepts: commands, then topics.
pub(super) fn names(command: &Command) -> Vec<String> {
    let commands = command.get_subcommands().map(Command::get_name);
    let topics = topics::ALL.iter().map(|topic| topic.name);
    commands.chain(topics).map(str::to_string).collect()
}

/// The help for the names: on the whole program, a command, a topic, or both.
fn explain(mut program: Command, names: &[String]) -> Result<StyledStr, CliError> {
    program.build();
    if names.is_empty() {
        return Ok(program.render_long_help());
    }
    let help = find(&mut program, names).map(Command::render_long_help);
    let guide = match names {
        [name] => topics::find(name),
        _ => None,
    };
    match (help, guide) {
        (None, None) => Err(unknown(&program, names)),
        (Some(help), None) => Ok(help),
        (None, Some(guide)) => Ok(guide.text.into()),
        (Some(help), Some(guide)) => Ok(format!("{}\n\n\n{}", help.ansi(), guide.text).into()),
    }
}

/// The command that a path of names leads to.
fn find<'a>(program: &'a mut Command, names: &[String]) -> Option<&'a mut Command> {
    let mut names = names.iter();
    names.try_fold(program, |command, name| command.find_subcommand_mut(name))
}

fn unknown(program: &Command, names: &[String]) -> CliError {
    let commands: Vec<&str> = (program.get_subcommands())
        .filter(|command| !command.is_hide_set())
        .map(Command::get_name)
        .collect();
    let topics: Vec<&str> = topics::ALL.iter().map(|topic| topic.name).collect();
    CliError::Usage(format!(
        "there is no command or topic {:?}\ncommands: {}\ntopics: {}",
        names.join(" "),
        commands.join(", "),
        topics.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn help(names: &[&str]) -> Result<String, String> {
        let names: Vec<String> = names.iter().map(ToString::to_string).collect();
        let text = explain(crate::cli::command(), &names);
        text.map(|text| text.to_string())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_name_shows_a_command_a_topic_or_both() {
        let usage = |name: &str| format!("Usage: santorini {name}");
        assert!(help(&["check"]).unwrap().contains(&usage("check")));
        assert!(help(&["lab", "play"]).unwrap().contains(&usage("lab play")));
        let topic = help(&["protocol"]).unwrap();
        assert!(topic.contains("placeWorker") && !topic.contains("Usage:"));
        let both = help(&["lab"]).unwrap();
        let guide = topics::find("lab").unwrap().text;
        assert!(both.contains(&usage("lab")) && both.ends_with(guide));
        assert!(
            !help(&["tournament"])
                .unwrap()
                .contains(topics::find("tournaments").unwrap().text)
        );
    }

    #[test]
    fn an_unknown_name_lists_all_known_ones() {
        for names in [&["dance"][..], &["lab", "dance"], &["lab", "protocol"]] {
            let error = help(names).unwrap_err();
            assert!(error.contains(&format!("{:?}", names.join(" "))), "{error}");
            assert!(error.contains("commands: play, ") && error.contains("topics: rules, "));
            assert!(!error.contains("fake-player"));
        }
    }
}
