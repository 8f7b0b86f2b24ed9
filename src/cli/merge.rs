//! `santorini merge`: merges the files of several machines.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::board::with_board_size;
use super::engine::read_params_file;
use super::files::write_file;
use super::input::read_input;
use super::output::{print, say};
use super::progress::Progress;
use super::tournament::ShowArgs;
use super::{CliError, CliResult, duel, tournament, tune};
use crate::arena::{LONGEST_SHARE, MatchShare, SHARE_FILE, join};
use crate::files::{Kind, open_regular};
use crate::printable::{listed, printable_lines, shown};
use crate::program::Evidence;
use crate::protocol::BYTE_ORDER_MARK;
use crate::rate::are_of_a_rating;
use crate::record::{GameRecord, RECORDS_FILE};
use crate::shard::Shard;
use crate::tournament::{MergeGamesError, ResumeError, TournamentSummary, merge_games};
use crate::train::data::{DATA_FILE, DataReader};
use crate::train::merge::merge_data;
use crate::train::params::file::PARAMS_FILE;
use crate::train::params::merge::merge_params;

/// Merge the files that several machines made with --shard
///
/// Examples:
///   santorini merge part*.jsonl
///   santorini merge --html report.html --output all.jsonl part*.jsonl
///   santorini tournament show games.jsonl       the same for one machine
///   santorini merge part*.json
///   santorini merge --output data.bin part*.bin
///   santorini merge --output params.txt part*.txt
///
/// The files must be shares of one run. Their first bytes tell what they hold:
///
/// - Games of a tournament: prints the table, the same as one machine would.
/// - Outcomes of a duel: prints the outcome.
/// - Training data: writes the file that one machine would have made, up to the
///   first games that a share lacks. All shares are needed. `datagen` can resume
///   it.
/// - Search parameters: takes their mean, weighted by the pairs of games, and
///   prints it. `tune` can resume it. The mean is less noisy than each share, but
///   tuning is no faster: each machine needs as many pairs as a single one.
///
/// Training data and search parameters need --output.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The files to merge, all of one kind.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write the merged file; it must be a new one.
    #[arg(long, short, alias = "out", value_name = "FILE")]
    output: Option<PathBuf>,
    /// Also show each game lost by a fault, of all players or of this one: the reason, what
    /// the player wrote, and the end of its standard error.
    #[arg(long, value_name = "PLAYER", conflicts_with = "json", num_args = 0..=1,
          require_equals = true)]
    faults: Option<Option<String>>,
    #[command(flatten)]
    show: ShowArgs,
}

/// The kinds of files that can be merged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Merged {
    Games,
    Duel,
    Data,
    Params,
}

impl Merged {
    /// What a file holds, by its first bytes. Any other JSON object is read as games, so
    /// that an error names what is wrong with its lines.
    fn of(head: &[u8]) -> Option<Self> {
        let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
        let kinds = [Self::Duel, Self::Data, Self::Params];
        let known = kinds.into_iter().find(|it| (it.kind().begins)(head));
        known.or(head.starts_with(b"{").then_some(Self::Games))
    }

    const fn kind(self) -> Kind {
        match self {
            Self::Games => RECORDS_FILE,
            Self::Duel => SHARE_FILE,
            Self::Data => DATA_FILE,
            Self::Params => PARAMS_FILE,
        }
    }
}

/// Replaces earlier spellings, such as `santorini tune merge`, by `santorini merge`. Also
/// replaces `santorini tournament show`, which does the same for one file.
pub(super) fn without_old_spelling(mut words: Vec<OsString>) -> Vec<OsString> {
    let is = |at: usize, names: &[&str]| {
        let word = words.get(at).and_then(|word| word.to_str());
        word.is_some_and(|word| names.contains(&word))
    };
    let first = 1 + usize::from(is(1, &["help"]));
    if is(first, &["tournament"]) && is(first + 1, &["show"]) {
        words.splice(first..first + 2, ["merge".into()]);
        return words;
    }
    if is(first, &["tournament", "duel", "datagen", "tune"]) && is(first + 1, &["merge"]) {
        words.remove(first);
    }
    words
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let uses = args.show.uses().reads(&args.files);
    uses.creates(args.output.as_deref()).check()?;
    let merged = what(&args.files)?;
    let refused = |option: &str| {
        let kind = merged.kind().name;
        CliError::Usage(format!("{option} cannot be used with {kind}"))
    };
    let only_games = [
        ("--html", args.show.html.is_some()),
        ("--csv", args.show.csv.is_some()),
        ("--faults", args.faults.is_some()),
    ];
    if let Some((option, _)) = only_games.iter().find(|(_, given)| *given)
        && merged != Merged::Games
    {
        return Err(refused(option));
    }
    if args.show.json && !matches!(merged, Merged::Games | Merged::Duel) {
        return Err(refused("--json"));
    }
    let output = args.output.as_deref();
    let needed = || {
        let kind = merged.kind().name;
        output.ok_or_else(|| CliError::Usage(format!("--output is missing: it takes {kind}")))
    };
    match merged {
        Merged::Games => games(args, output),
        Merged::Duel => outcomes(args, output),
        Merged::Data => data(&args.files, needed()?),
        Merged::Params => params(&args.files, needed()?),
    }
}

/// What all files hold.
fn what(files: &[PathBuf]) -> Result<Merged, CliError> {
    let mut first: Option<Merged> = None;
    for path in files {
        let named = |what: String| CliError::Usage(format!("{}: {what}", path.display()));
        let head = head_of(path).map_err(|cause| CliError::failed(path.display(), cause))?;
        let merged = Merged::of(&head).ok_or_else(|| {
            named(
                "nothing that can be merged: games of a tournament, outcomes of a duel, training \
                 data or search parameters"
                    .into(),
            )
        })?;
        let first = *first.get_or_insert(merged);
        if first != merged {
            return Err(named(format!(
                "{}, but the first file is {}; merge files of one kind",
                merged.kind().name,
                first.kind().name
            )));
        }
    }
    first.ok_or_else(|| CliError::Usage("there is no file to merge".into()))
}

/// The first bytes of a file.
fn head_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let file: File = open_regular(path)?;
    file.take(4096).read_to_end(&mut head)?;
    Ok(head)
}

/// Says how many parts of the whole are missing.
fn report_missing(missing: u64, whole: u64, parts: &str) {
    if missing > 0 {
        say(&format!(
            "{missing} of {whole} {parts} are missing: not finished, or in other files"
        ));
    }
}

impl From<MergeGamesError> for CliError {
    fn from(error: MergeGamesError) -> Self {
        match error {
            MergeGamesError::File(_)
            | MergeGamesError::Share {
                cause: ResumeError::Game(..),
                ..
            } => Self::Failed(error.to_string()),
            _ => Self::Usage(error.to_string()),
        }
    }
}

/// Merges the games of a tournament.
fn games(args: &Args, output: Option<&Path>) -> CliResult {
    let merged = merge_games(&args.files)?;
    for path in &merged.damaged {
        say(&format!(
            "{}: the last line is damaged and left out",
            path.display()
        ));
    }
    let settings = &merged.settings;
    let of = args.faults.as_ref().and_then(Option::as_ref);
    if let Some(name) = of.filter(|&name| !settings.names().contains(name)) {
        let names = listed(&settings.names());
        return Err(CliError::Usage(format!(
            "--faults: there is no player {name:?}; the players are {names}"
        )));
    }
    if let Some(path) = output {
        let written = merged.write(path);
        written.map_err(|error| CliError::failed(path.display(), error))?;
    }
    let summary = TournamentSummary::of(settings, &merged.results);
    if let Some(path) = &args.show.html {
        tournament::write_report(path, settings, &summary, &merged.games)?;
    }
    tournament::write_csv(args.show.csv.as_deref(), &summary.players)?;
    tournament::show(&args.show, &summary)?;
    if args.faults.is_some() {
        let games = merged.games.iter();
        let games = games.filter(|game| of.is_none_or(|name| is_lost_by(game, name)));
        print(printable_lines(
            &games.filter_map(fault_text).collect::<String>(),
        ))?;
    }
    if are_of_a_rating(settings) {
        say(&format!(
            "these are games of `santorini rate`, and this table is not the rating; it is printed \
             by\n  santorini rate --resume --output {} COMMAND",
            args.files[0].display()
        ));
    } else if settings.sprt.is_none() {
        let missing = summary.scheduled.saturating_sub(summary.games);
        report_missing(missing, summary.scheduled, "games");
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether a player lost a game, alone or with its opponent.
fn is_lost_by(game: &GameRecord, name: &str) -> bool {
    let is_winner = |seat: usize| game.winner.map(usize::from) == Some(seat);
    (0..2).any(|seat| game.players[seat] == name && !is_winner(seat))
}

/// Why a game was lost by a fault, and the evidence of it.
fn fault_text(game: &GameRecord) -> Option<String> {
    let why = game.why.as_deref()?;
    let evidence = Evidence::of(game).unwrap_or_default().short_text();
    Some(format!("\ngame {}: {why}{evidence}\n", game.number()))
}

/// Merges the outcomes of a duel.
fn outcomes(args: &Args, output: Option<&Path>) -> CliResult {
    let mut shares = Vec::new();
    for path in &args.files {
        let share = read_input(path, LONGEST_SHARE)?.parse::<MatchShare>();
        let named = |error| CliError::Usage(format!("{}: {error}", path.display()));
        shares.push(share.map_err(named)?);
    }
    let (settings, score) =
        join(&shares).map_err(|(index, error)| wrong_file(&args.files[index], error))?;
    let pairs = settings.pairs;
    if let Some(path) = output {
        let whole = MatchShare {
            settings: settings.clone(),
            shard: Shard::WHOLE,
            score,
        };
        write_file(path, whole.text().as_bytes())?;
    }
    duel::show(&score.outcome(settings.names, None), args.show.json)?;
    if let Some(pairs) = pairs {
        report_missing(pairs.saturating_sub(score.pairs().count()), pairs, "pairs");
    }
    Ok(ExitCode::SUCCESS)
}

/// Merges training data.
fn data(files: &[PathBuf], output: &Path) -> CliResult {
    let reader = DataReader::open(&files[0]);
    let reader = reader.map_err(|error| CliError::failed(files[0].display(), error))?;
    let progress = Progress::new(None, "merging");
    let merged = with_board_size!(reader.size(), N => merge_data::<N>(files, output));
    let merged = merged.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidInput => CliError::Usage(error.to_string()),
        _ => CliError::Failed(error.to_string()),
    })?;
    progress.finish();
    print(format_args!(
        "{} positions in {}; {} duplicates between the shares left out\n",
        merged.records,
        shown(output),
        merged.duplicates
    ))?;
    for remark in &merged.remarks {
        say(&format!("santorini: {remark}"));
    }
    for (share, blocks) in &merged.left_out {
        say(&format!(
            "{blocks} blocks of share {share} are left out, since share {} ends before them",
            merged.shortest
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// Merges search parameters.
fn params(files: &[PathBuf], output: &Path) -> CliResult {
    let read = files.iter().map(|path| read_params_file(path));
    let read: Vec<_> = read.collect::<Result<_, _>>()?;
    let merged = merge_params(&read).map_err(|(index, error)| wrong_file(&files[index], error))?;
    write_file(output, merged.file.to_string().as_bytes())?;
    let built_in = tune::built_in(merged.cards);
    print(tune::outcome(&merged.file.values, &built_in, merged.cards))?;
    report_missing(merged.missing, merged.shares, "shares");
    Ok(ExitCode::SUCCESS)
}

fn wrong_file(path: &Path, error: impl std::fmt::Display) -> CliError {
    CliError::Usage(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_spellings_mean_merge() {
        let new = |text: &str| {
            let words = text.split(' ').map(OsString::from).collect();
            let words = without_old_spelling(words);
            words.join(" ".as_ref()).into_string().unwrap()
        };
        assert_eq!(new("s tune merge -o a b"), "s merge -o a b");
        assert_eq!(new("s help duel merge"), "s help merge");
        assert_eq!(new("s tournament show a --csv b"), "s merge a --csv b");
        for same in [
            "s",
            "s merge a",
            "s tournament a merge",
            "s solve merge",
            "s help tune",
        ] {
            assert_eq!(new(same), same);
        }
    }

    #[test]
    fn first_bytes_tell_what_a_file_holds() {
        let is = |head: &[u8], merged| Merged::of(head) == merged;
        assert!(is(b"{\"tournament\":{", Some(Merged::Games)));
        assert!(is(b"\xef\xbb\xbf{\"game\":0", Some(Merged::Games)));
        assert!(is(b"{\"duel\":{", Some(Merged::Duel)));
        assert!(is(b"SANTOD4", Some(Merged::Data)));
        assert!(is(b"# mine\n\npairs 3\n", Some(Merged::Params)));
        assert!(is(b"climb_value 3000", Some(Merged::Params)));
        for head in [&b""[..], b"hello", b"# pairs 3\n", b"SANTORINI-SOLVED\n"] {
            assert!(is(head, None));
        }
    }
}
