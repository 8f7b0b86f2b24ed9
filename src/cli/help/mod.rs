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

pub(super) use groups::{List, command_lists, template, topic_list};

/// Explain the commands and topics of this program
///
/// Examples:
///   santorini help tournament     the options of a command
///   santorini help lab play       of a subcommand
///   santorini help tournaments    a guide
///
/// Without a name it lists all commands and topics. NAME is a command, a command
/// with its subcommand, or a topic. If a command and a topic have the same name,
/// the options of the command come first, then the guide.
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

/// The names that `santorini help` accepts, except `help`, as subcommands: the commands
/// with their subcommands, then the topics.
pub(super) fn names(program: &Command) -> Vec<Command> {
    let topics = topics::ALL.iter();
    let topics = topics.filter(|topic| program.find_subcommand(topic.name).is_none());
    let topics = topics.map(|topic| Command::new(topic.name).about(topic.about));
    let all = names_below(program).into_iter().chain(topics);
    all.map(|name| name.disable_help_flag(true)).collect()
}

/// The subcommands of a command, each with its own subcommands, without options.
fn names_below(command: &Command) -> Vec<Command> {
    // fish completes nothing after a `help` that has a subcommand `help`.
    let below = command
        .get_subcommands()
        .filter(|it| !it.is_hide_set() && it.get_name() != "help");
    let name = |command: &Command| {
        Command::new(command.get_name().to_string())
            .about(command.get_about().cloned().unwrap_or_default())
            .disable_help_flag(true)
            .disable_help_subcommand(true)
            .subcommands(names_below(command))
    };
    below.map(name).collect()
}

/// The guide with the name of a command, which `help` prints after the help of the command.
pub(super) fn guide(name: &str) -> Option<&'static str> {
    topics::find(name).map(|topic| topic.text)
}

/// The help for the names: on the whole program, a command, a topic, or both.
fn explain(mut program: Command, names: &[String]) -> Result<StyledStr, CliError> {
    program.build();
    if names.is_empty() {
        return Ok(program.render_long_help());
    }
    let help = find(&mut program, names).map(Command::render_long_help);
    let guide = match names {
        [name] => guide(name),
        _ => None,
    };
    match (help, guide) {
        (None, None) => Err(unknown(&program, names)),
        (Some(help), None) => Ok(help),
        (None, Some(guide)) => Ok(guide.into()),
        (Some(help), Some(guide)) => Ok(format!("{}\n\n\n{guide}", help.ansi()).into()),
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
