//! `santorini lab levels`: matches that measure the levels of strength.

use std::convert::Infallible;
use std::process::ExitCode;

use super::{CliError, CliResult, Work};
use crate::cli::interrupt::stop_flag;
use crate::cli::output::print;
use crate::cli::progress::Progress;
use crate::jobs::Jobs;
use crate::lab::ladder::{LevelMatch, LevelScore, beginners, games_of};
use crate::levels::{Level, elo_above_first, measured_with};

/// Measure the levels of strength by matches between neighbours and with beginners
///
/// Examples:
///   santorini lab levels
///   santorini lab levels --from 3 --to 5 --games 4000
///   santorini lab play --first level:number=4,nodes=3000 \
///       --second level:number=3 --swap
///
/// The first table shows how many games the lowest levels win against simulated
/// beginners: one plays at random, one climbs when it can, one also blocks half of
/// the threats, and one blocks them all. Its last level is the first that wins 95%
/// of its games against the beginner that blocks all threats. The second table
/// shows the match of each level against the level below, with the Elo above the
/// first level measured.
///
/// Against beginners, both players place their workers themselves. Pairs of games
/// between levels start from the even openings of the built-in book. Seats are
/// swapped after every game. Levels above 2,000 nodes a turn play fewer games, in
/// proportion, but at least a tenth. Intervals are at 95%; they treat the two games
/// of a pair as independent. The same seed gives the same games. The last line has
/// the signature of the engine, as `santorini bench` prints it, and a checksum of
/// the levels.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The lowest level to measure.
    #[arg(long, value_name = "LEVEL", default_value_t = Level::LOWEST)]
    from: Level,
    /// The highest level to measure.
    #[arg(long, value_name = "LEVEL", default_value_t = Level::HIGHEST)]
    to: Level,
    /// The games of each match.
    #[arg(long, value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    #[command(flatten)]
    work: Work,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let levels: Vec<Level> = Level::all()
        .filter(|level| (args.from..=args.to).contains(level))
        .collect();
    if levels.is_empty() {
        return Err(CliError::Usage(format!(
            "--from {} --to {}: there is no level between",
            args.from, args.to
        )));
    }
    let stop = stop_flag()?;
    let jobs = args.work.jobs(&stop);
    let measuring = Measuring { args, jobs };
    measuring.beginners(&levels)?;
    measuring.neighbours(&levels)?;
    print(format_args!("measured with {}\n", measured_with()))?;
    Ok(ExitCode::SUCCESS)
}

/// Plays the matches of both tables.
struct Measuring<'a> {
    args: &'a Args,
    jobs: Jobs<'a>,
}

impl Measuring<'_> {
    /// Prints the matches of the lowest levels against beginners.
    fn beginners(&self, levels: &[Level]) -> Result<(), CliError> {
        print("level  against                 won            score\n")?;
        for &level in levels {
            let mut last = LevelScore::default();
            for beginner in beginners() {
                let games = LevelMatch::against(level, beginner, self.args.work.seed);
                last = self.play(&games, level)?;
                print(format_args!(
                    "{level:>5}  {beginner:<22}  {:<13}  {}\n",
                    won_text(last),
                    share_text(last),
                ))?;
            }
            if last.share().is_some_and(|[share, ..]| share >= 0.95) {
                break;
            }
        }
        Ok(())
    }

    /// Prints the matches of each level against the level below.
    fn neighbours(&self, levels: &[Level]) -> Result<(), CliError> {
        print(
            "\nlevel    nodes  turns  chance  threats   wins  won            score             Elo\n",
        )?;
        let mut steps = Vec::new();
        for &level in levels {
            let games = LevelMatch::below(level, self.args.work.seed);
            let score = match games.filter(|_| level > self.args.from) {
                None => LevelScore::default(),
                Some(games) => self.play(&games, level)?,
            };
            if score.games > 0 {
                steps.push([score.won, score.games]);
            }
            print(row(level, score, &steps))?;
        }
        Ok(())
    }

    /// Plays a match of a level.
    ///
    /// # Errors
    /// If it was interrupted.
    fn play(&self, games: &LevelMatch, level: Level) -> Result<LevelScore, CliError> {
        let all = games_of(level, self.args.games);
        let progress = Progress::new(all, "games");
        let mut score = LevelScore::default();
        let play = |game| games.wins(game, self.jobs.stop);
        let Ok(()) = self.jobs.run(0..all, play, |_, won| {
            progress.inc();
            score.add(won);
            Ok::<(), Infallible>(())
        });
        progress.finish();
        match self.jobs.is_stopped() {
            true => Err(CliError::Interrupted(String::new())),
            false => Ok(score),
        }
    }
}

/// The row of a level in the second table.
fn row(level: Level, score: LevelScore, steps: &[[u32; 2]]) -> String {
    let strength = level.strength();
    let elo = elo_above_first(steps.iter().copied());
    let elo = if steps.is_empty() {
        "0".into()
    } else if elo.elo.is_finite() {
        format!("{:.0} +- {:.0}", elo.elo, elo.error)
    } else {
        "-".into()
    };
    format!(
        "{level:>5}  {:>7}  {:>5}  {:>6}  {:>6.0}%  {:>4.0}%  {:<13}  {:<16}  {elo}\n",
        strength.nodes,
        strength.lines,
        strength.temperature,
        100.0 * strength.attention,
        100.0 * strength.alertness,
        won_text(score),
        share_text(score),
    )
}

/// The share of games won with its interval, in percent.
fn share_text(score: LevelScore) -> String {
    score.share().map_or("-".into(), |share| {
        let [share, low, high] = share.map(|share| 100.0 * share);
        format!("{share:.0}% ({low:.0} to {high:.0})")
    })
}

fn won_text(score: LevelScore) -> String {
    match score.games {
        0 => "-".into(),
        games => format!("{} of {games}", score.won),
    }
}
