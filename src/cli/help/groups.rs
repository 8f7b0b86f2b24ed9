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

/// The help template of the program, with the commands in groups.
pub(crate) fn template(program: &Command) -> StyledStr {
    let style = program.get_styles();
    let (header, literal) = (style.get_header(), style.get_literal());
    let mut text = String::from("{about-with-newline}\n{usage-heading} {usage}\n");
    let about = |name: &str| {
        let command = program.find_subcommand(name);
        let about = command.and_then(Command::get_about);
        about.map(ToString::to_string).unwrap_or_default()
    };
    let mut list = |heading: &str, rows: &mut dyn Iterator<Item = (&str, String)>| {
        let _ = write!(text, "\n{header}{heading}:{header:#}\n");
        for (name, about) in rows {
            let _ = writeln!(text, "  {literal}{name:<11}{literal:#}  {about}");
        }
    };
    for (heading, names) in GROUPS {
        list(heading, &mut names.iter().map(|&name| (name, about(name))));
    }
    let topics = topics::ALL.iter();
    list(
        "Topics (santorini help TOPIC)",
        &mut topics.map(|topic| (topic.name, topic.about.to_string())),
    );
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
