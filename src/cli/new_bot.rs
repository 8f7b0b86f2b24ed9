//! `santorini new-bot`: a player to start from, with a script that tests it.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::ExitCode;

use super::files::{ForceArgs, write_file};
use super::output::print;
use super::{CliError, CliResult};
use crate::new_bot::{Language, NewBot, Protocol};
use crate::printable::{printable_lines, shown};
use crate::shell::{own_name, quoted};

/// Write a small player to start from, with a script that tests it
///
/// Examples:
///   santorini new-bot python my_bot
///   santorini new-bot rust my_bot --tcp
///   santorini new-bot python my_bot --cards
///
/// The player has at most 60 lines (120 with cards), needs no package (except for
/// the package network in Haskell with --tcp), and plays random legal turns; in
/// most languages it plays a winning turn if there is one. The script builds it if
/// necessary, plays 20 games against random turns (112 with cards), and reports
/// every answer that breaks the rules. It uses the program that the environment
/// variable SANTORINI names. The default is this program or, if it has moved, the
/// one in PATH.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
`santorini help rules` explains the rules and the JSON that players read and
write, `santorini help protocol` the protocol of the TCP server."
)]
pub(super) struct Args {
    /// The programming language.
    language: Language,
    /// The folder for the files; it is created if it does not exist.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// A bot for `santorini serve`, on 6x6 spaces, instead of a player that reads
    /// JSON from standard input.
    #[arg(long)]
    tcp: bool,
    /// A player that plays with god cards.
    #[arg(long, conflicts_with = "tcp")]
    cards: bool,
    #[command(flatten)]
    force: ForceArgs,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let protocol = match (args.tcp, args.cards) {
        (true, _) => Protocol::Tcp,
        (_, true) => Protocol::Cards,
        _ => Protocol::Standard,
    };
    let program = std::env::current_exe();
    let program = program.map_err(|error| CliError::failed("the path of this program", error))?;
    let bot = NewBot::new(args.language, protocol, &args.folder, &program);
    if args.folder.is_file() {
        return Err(CliError::Usage(format!(
            "{} is a file; name a folder for the bot",
            args.folder.display()
        )));
    }
    let failed = |error| CliError::failed(args.folder.display(), error);
    fs::create_dir_all(&args.folder).map_err(failed)?;
    let files = bot.files.iter();
    let uses = files.fold(args.force.uses(), |uses, file| {
        uses.creates(Some(&file.path))
    });
    uses.check()?;
    for file in &bot.files {
        write_file(&file.path, file.text.as_bytes())?;
        if file.executable {
            let written = fs::metadata(&file.path).map_err(failed)?;
            let mode = written.permissions().mode();
            // Executable for everyone who can read it.
            let mode = mode | (mode & 0o444) >> 2;
            fs::set_permissions(&file.path, Permissions::from_mode(mode)).map_err(failed)?;
        }
    }
    print(printable_lines(&next_steps(&bot, protocol)))?;
    Ok(ExitCode::SUCCESS)
}

/// The files that were written, and what to do next.
fn next_steps(bot: &NewBot, protocol: Protocol) -> String {
    let mut text = String::new();
    for file in &bot.files {
        text += &format!("{}: {}\n", shown(&file.path), file.about);
    }
    let command = &bot.command;
    let test = quoted(&bot.files[1].path.to_string_lossy());
    let program = own_name();
    let player = quoted(command);
    text += &match protocol {
        Protocol::Cards => format!(
            "\nTest it, watch it:\n  {test}\n  \
             {program} referee --show --cards Pan Atlas {player} {program}\n\n\
             The rules, the cards and the JSON: {program} help rules, {program} help cards\n"
        ),
        Protocol::Standard => format!(
            "\nTest it, watch it, rate it, play against it:\n  {test}\n  \
             {program} referee --show {player} {program}\n  \
             {program} rate --quick --html rating.html {player}\n  \
             {program} play --against {player}\n\n\
             The rules and the JSON: {program} help rules\n"
        ),
        Protocol::Tcp => format!(
            "\nTest it, then enter a tournament with it:\n  {test}\n  {command} HOST PORT NAME\n\n\
             The lines and the rules: {program} help protocol\n"
        ),
    };
    text
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn documents_name_the_opponent_of_the_test_script() {
        let program = crate::cli::command();
        let help = program.find_subcommand("new-bot").unwrap();
        for text in [
            include_str!("../../README.txt"),
            &help.clone().render_long_help().to_string(),
        ] {
            let words: Vec<&str> = text.split_whitespace().collect();
            assert!(
                words.join(" ").contains("20 games against random turns"),
                "{text}"
            );
        }
        let (folder, program) = (Path::new("dir"), Path::new("/bin/s"));
        let bot = NewBot::new(Language::Python, Protocol::Standard, folder, program);
        let script = &bot.files[1].text;
        assert!(script.contains("20 games against random turns"), "{script}");
        assert!(script.contains("lab player random"), "{script}");
    }
}
