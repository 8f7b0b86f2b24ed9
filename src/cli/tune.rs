//! `santorini tune`: finds better search parameters by playing.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use super::engine::{EvalArg, jobs, read_params_file, threads_from};
use super::files::{ForceArgs, write_file};
use super::interrupt::{interrupted, stop_flag};
use super::openings::{EVEN, book_boards, book_file};
use super::output::{print, say};
use super::progress::Progress;
use super::resume_command::same_command;
use super::{CliError, CliResult};
use crate::arena::tuner::Tuner;
use crate::files::Destination;
use crate::openings::balanced::{MARGIN, RandomStart, Start};
use crate::openings::digest_of;
use crate::search::{EngineOptions, Limits, ParamSets, Params, TUNABLE, Tunable};
use crate::seeds::derive_seed;
use crate::shard::Shard;
use crate::shell::quoted;
use crate::table::Table;
use crate::train::merge::shard_settings;
use crate::train::params::file::{ParamsFile, Run, Values, values_of};
use crate::train::params::search::ParamGames;

/// Tune the search parameters by games (SPSA)
///
/// Examples:
///   santorini tune --nodes 12000 --pairs 20000 --out params.txt
///   santorini tune --cards --only reverse_futility_margin --out cards.txt
///   santorini duel --random-turns 2 --sprt 0 5 new="--params params.txt" old=
///   santorini tune --shard 2/4 --pairs 20000 --out part2.txt
///   santorini merge --output params.txt part*.txt
///
/// Pairs of games compare two searches whose parameters all differ a little, and
/// the parameters move towards the winner (J. Spall, 1992). A few thousand pairs
/// show a direction. At the end this prints the parameters before and after, and
/// the lines for src/engine/search/params.rs.
///
/// The parameters move after every 32 pairs, and the file is then written. The
/// same command resumes an interrupted run; with more --pairs it extends a
/// finished one. The result is the same as from one run if the first --pairs was a
/// multiple of 32; otherwise the parameters moved once after fewer pairs. It does
/// not depend on the number of threads.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The file of parameters to write, or to resume.
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,
    /// The nodes to search for each turn.
    #[arg(long, value_name = "N", default_value_t = 12_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The number of pairs of games.
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,
    /// How many pairs to play at the same time; 0 is one for each core.
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = threads_from(0))]
    threads: u16,
    /// The seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Start games on the boards of this file, one on each line, in JSON or as
    /// text; `even` is the built-in book.
    #[arg(long, value_name = "FILE|even", default_value = EVEN)]
    openings: String,
    /// Play with random pairs of cards, from random placements that are about even.
    /// Parameters that only the base game uses are not tuned.
    #[arg(long, conflicts_with = "openings")]
    cards: bool,
    /// Tune only these parameters, separated by commas.
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = parse_name)]
    only: Vec<&'static str>,
    /// The evaluation: network, tuned, paper, or the file of a network.
    #[arg(long, value_name = "NAME", default_value = "network")]
    eval: EvalArg,
    /// Tune as one of several machines, each with --pairs pairs of its own: 1/4 to
    /// 4/4 on four. `santorini merge` takes the mean of what they find.
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE, hide_default_value = true)]
    shard: Shard,
    #[command(flatten)]
    force: ForceArgs,
}

/// How often the values are shown.
const SHOW_INTERVAL: Duration = Duration::from_secs(60);

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let uses = args.force.uses().reads(book_file(&args.openings));
    let uses = uses.reads(args.eval.file());
    uses.resumes(Some(&args.out)).check()?;
    if let Some(idle) = args.tuned().find(|tunable| !tunable.counts(args.cards)) {
        let name = idle.name;
        return Err(CliError::Usage(format!(
            "--only {name}: this parameter has no effect in games with cards"
        )));
    }
    let games = args.games()?;
    let options = args.options(&games.start);
    let (values, done) = args.start_or_resume(&games.built_in, &options)?;
    let mut tuner = games.tuner(values.into_iter().map(|(_, value)| value).collect(), done);
    // If the file cannot be written, fail now and not in an hour.
    args.save(&tuner, &options)?;
    let stop = stop_flag()?;
    let jobs = jobs(args.threads, &stop);
    if done > args.pairs {
        say(&format!(
            "santorini: {} has {done} pairs already, more than --pairs {}; no games are played",
            args.out.display(),
            args.pairs
        ));
    }
    let progress = Progress::new(args.pairs.max(done), "pairs of games");
    progress.set_begun(done);
    let mut shown = Instant::now();
    while tuner.trials() < args.pairs {
        if !tuner.round(args.pairs, &jobs, &mut || progress.inc()) {
            progress.finish();
            return Ok(stopped(args, &tuner));
        }
        args.save(&tuner, &options)?;
        if shown.elapsed() >= SHOW_INTERVAL {
            progress.suspend(|| say(&state(&tuner)));
            shown = Instant::now();
        }
    }
    progress.finish();
    print(outcome(&tuner.values(), &built_in(args.cards), args.cards))?;
    Ok(ExitCode::SUCCESS)
}

/// The built-in search parameters, with cards or without.
pub(super) fn built_in(cards: bool) -> Params {
    let ParamSets { base, cards: other } = ParamSets::BUILT_IN;
    if cards { other } else { base }
}

impl Args {
    fn games(&self) -> Result<ParamGames, CliError> {
        Ok(ParamGames {
            start: if self.cards {
                Start::Random(RandomStart {
                    cards: true,
                    turns: 0,
                    margin: MARGIN,
                })
            } else {
                Start::Boards(book_boards(&self.openings, self.seed)?)
            },
            limits: Limits::nodes(self.nodes),
            seed: self.games_seed(),
            player: EngineOptions {
                eval: self.eval.kind,
                ..EngineOptions::default()
            },
            built_in: built_in(self.cards),
            tuned: self.tuned().collect(),
        })
    }

    /// The seed of the games: each of several machines plays others.
    fn games_seed(&self) -> u64 {
        match self.shard.parts() {
            [_, 1] => self.seed,
            [number, _] => derive_seed(self.seed, &[number]),
        }
    }

    /// The parameters to tune, in the order of the table.
    fn tuned(&self) -> impl Iterator<Item = &'static Tunable> {
        let is_meant = |tunable: &&Tunable| match self.only.is_empty() {
            true => tunable.counts(self.cards),
            false => self.only.contains(&tunable.name),
        };
        TUNABLE.iter().filter(is_meant)
    }

    /// The options on which the games depend, as typed, but with checksums of the named
    /// files.
    fn options(&self, start: &Start<5>) -> String {
        let exact = |name: &str, checksum: Option<String>| match checksum {
            Some(sum) => format!("{name}#{sum}"),
            None => name.to_string(),
        };
        let openings = match start {
            Start::Boards(boards) => book_file(&self.openings).map(|_| digest_of(boards)),
            Start::Random(_) => None,
        };
        let eval = exact(&self.eval.to_string(), self.eval.checksum());
        let (nodes, seed) = (self.nodes, self.seed);
        let mut options = format!("--nodes {nodes} --seed {seed} --eval {}", quoted(&eval));
        options += &match self.cards {
            true => " --cards".to_string(),
            false => format!(" --openings {}", quoted(&exact(&self.openings, openings))),
        };
        if !self.only.is_empty() {
            let names: Vec<&str> = self.tuned().map(|tunable| tunable.name).collect();
            options += &format!(" --only {}", quoted(&names.join(",")));
        }
        shard_settings(options, self.shard)
    }

    /// Whether there is no file to resume, or it is overwritten.
    fn starts_new(&self) -> bool {
        match Destination::of(&self.out) {
            Ok(Destination::File(path)) => {
                self.force.force || fs::metadata(path).is_ok_and(|found| found.len() == 0)
            }
            _ => true,
        }
    }

    /// The values to start from and the number of pairs played: from the file, or, if there
    /// is none, the built-in values.
    fn start_or_resume(&self, built_in: &Params, options: &str) -> Result<(Values, u64), CliError> {
        if self.starts_new() {
            return Ok((values_of(self.tuned(), built_in), 0));
        }
        let wrong = |what: String| CliError::Usage(format!("{}: {what}", self.out.display()));
        let file = read_params_file(&self.out)?;
        let Some(run) = file.run else {
            return Err(wrong(
                "not written by `santorini tune`; name another file".into(),
            ));
        };
        let names = file.values.iter().map(|(tunable, _)| tunable.name);
        if run.options != options || !names.eq(self.tuned().map(|tunable| tunable.name)) {
            return Err(wrong(format!(
                "started with `{}`, not with `{options}`; \
                 use the same options to resume it, or name another file",
                run.options
            )));
        }
        Ok((file.values, run.pairs))
    }

    fn save(&self, tuner: &Tuner<ParamGames>, options: &str) -> Result<(), CliError> {
        let file = ParamsFile {
            values: tuner.values(),
            run: Some(Run {
                pairs: tuner.trials(),
                options: options.to_string(),
            }),
        };
        write_file(&self.out, file.to_string().as_bytes())
    }
}

fn parse_name(text: &str) -> Result<&'static str, String> {
    let tunable = Tunable::by_name(text).map(|tunable| tunable.name);
    tunable.ok_or_else(|| {
        let names = Tunable::names();
        format!("no search parameter is called {text:?}; the parameters are {names}")
    })
}

/// Reports that the run was interrupted. The file is as the last round left it.
fn stopped(args: &Args, tuner: &Tuner<ParamGames>) -> ExitCode {
    say(&format!(
        "santorini: interrupted after {} of {} pairs; {} resumes them ({})",
        tuner.trials(),
        args.pairs,
        same_command(args.force),
        args.out.display()
    ));
    interrupted()
}

/// The current values.
fn state(tuner: &Tuner<ParamGames>) -> String {
    let values = tuner.values();
    let values: Vec<String> = (values.iter())
        .map(|(tunable, value)| format!("{} {value:.1}", tunable.name))
        .collect();
    format!("{} pairs: {}", tuner.trials(), values.join(", "))
}

/// The parameters before and after, and the lines for the source: for the base game, or
/// for games with cards.
pub(super) fn outcome(values: &Values, built_in: &Params, cards: bool) -> String {
    let mut table = Table::new(["", "before", "after"]).with_names_in(0);
    let mut lines = String::from("\nFor src/engine/search/params.rs:\n\n");
    for (tunable, value) in values {
        let Tunable {
            name,
            step,
            min,
            max,
            get,
            ..
        } = tunable;
        table.add([
            name.to_string(),
            get(built_in).to_string(),
            format!("{value:.1}"),
        ]);
        let after = value.round();
        lines += &if cards {
            format!("        {name}: {after},\n")
        } else {
            format!("    {name} = {after}, step {step:?}, {min} to {max};\n")
        };
    }
    table.text() + &lines
}
