//! The list of all commands, in groups.

use std::fmt::Write as _;

use clap::Command;
use clap::builder::StyledStr;

use super::topics;

/// The commands by purpose: first the ones that most people need.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play", &["play", "draw", "analyze", "review"]),
    (
        "Your own player",
        &["new-bot", "referee", "check", "rate", "player"],
    ),
    ("Tournaments", &["tournament", "merge", "serve", "bot"]),
    (
        "Workshop (engine and research)",
        &[
            "duel",
            "sprt",
            "bench",
            "uci",
            "lab",
            "solve",
            "perft",
            "puzzles",
            "datagen",
            "train",
            "tune",
            "book",
            "placements",
        ],
    ),
    ("This program", &["help", "completions", "man"]),
];

/// A heading, and names with what they are.
pub(crate) type List = (&'static str, Vec<(&'static str, String)>);

/// The commands in groups.
pub(crate) fn command_lists(program: &Command) -> Vec<List> {
    let about = |&name: &&'static str| {
        let command = program.find_subcommand(name);
        let about = command.and_then(Command::get_about);
        (name, about.map(ToString::to_string).unwrap_or_default())
    };
    let groups = GROUPS.iter();
    groups
        .map(|&(heading, names)| (heading, names.iter().map(about).collect()))
        .collect()
}

/// The topics.
pub(crate) fn topic_list() -> List {
    let topics = topics::ALL.iter();
    let topics = topics.map(|topic| (topic.name, topic.about.to_string()));
    ("Topics (santorini help TOPIC)", topics.collect())
}

/// The help template of the program, with the commands in groups.
pub(crate) fn template(program: &Command) -> StyledStr {
    let style = program.get_styles();
    let (header, literal) = (style.get_header(), style.get_literal());
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    for (heading, rows) in command_lists(program).into_iter().chain([topic_list()]) {
        let _ = write!(text, "\n{header}{heading}:{header:#}\n");
        for (name, about) in rows {
            let _ = writeln!(text, "  {literal}{name:<11}{literal:#}  {about}");
        }
    }
    let _ = write!(
        text,
        "\n{header}Options:{header:#}\n{{options}}{{after-help}}"
    );
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let program = crate::cli::command();
        let visible = program
            .get_subcommands()
            .filter(|command| !command.is_hide_set());
        let mut commands: Vec<&str> = visible.map(Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        commands.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, commands);
    }

    #[test]
    fn the_list_fits_on_eighty_columns() {
        let text = crate::cli::command().render_long_help().to_string();
        for line in text.lines().filter(|line| line.starts_with("  ")) {
            assert!(line.len() <= 80, "{line}");
        }
        assert!(text.contains("\n  tournament   Play "), "{text}");
        assert!(text.contains("\n  protocol     Write "), "{text}");
    }
}
