//! `santorini lab experiment`: the experiments of the study.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;

use super::{CliError, CliResult, Work, isolate_programs, prepare};
use crate::cli::files::ForceArgs;
use crate::cli::interrupt::stop_flag;
use crate::cli::isolate::IsolateArgs;
use crate::cli::output::print;
use crate::cli::progress::Progress;
use crate::cli::resume_command::own_words;
use crate::lab::qlearning::TABLE_FILE;
use crate::lab::spec::AgentSpec;
use crate::lab::study::{
    self, AnyExperiment, Contestant, ExperimentError, Holds, Section, Store, StoreError,
    StudySettings, WITH_CONTESTANTS,
};
use crate::printable::shown;
use crate::seeds::derive_seed;
use crate::shell::quoted_words;

/// Repeat the experiments of the study, with charts and a report
///
/// Examples:
///   santorini lab experiment all --out study
///   santorini lab experiment all --quick --out quick
///   santorini lab experiment fig6 --seed 7 --out fig6
///   santorini lab experiment ladder --with 'program:./my_player' --out ladder
///
/// Writes NAME.jsonl with the raw results of each experiment, NAME.svg with its
/// chart, and report.html, which compares the study's results with the new ones.
/// Results that are already in the folder are kept, so the same command resumes an
/// interrupted run.
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = format!("Experiments:\n{}", study::HELP)
)]
pub(super) struct Args {
    /// The experiment, or all.
    #[arg(value_name = "NAME", required = true)]
    name: String,
    /// The folder for all files: a new or empty one, or the folder of an earlier run
    /// with the same --seed, --quick and --with.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Play a small version, which takes seconds and shows little.
    #[arg(long)]
    quick: bool,
    /// Another agent, for ladder, random and all. `santorini help lab play` describes
    /// agents. Can be repeated.
    #[arg(long, value_name = "AGENT")]
    with: Vec<AgentSpec>,
    #[command(flatten)]
    isolate: IsolateArgs,
    #[command(flatten)]
    force: ForceArgs,
    #[command(flatten)]
    work: Work,
}

/// Runs the subcommand.
pub(super) fn run(args: &Args) -> CliResult {
    let settings = StudySettings {
        seed: args.work.seed,
        quick: args.quick,
    };
    check_name(args, settings)?;
    let mut uses = args.force.uses();
    for spec in &args.with {
        uses = uses
            .reads(spec.file_read())
            .replaces(spec.file_written(), TABLE_FILE);
    }
    uses.check()?;
    isolate_programs(&args.isolate, &args.with)?;
    let names = names(&args.with)?;
    let store = Store::open(&args.out, settings, &names, args.force.force);
    let store = store.map_err(|error| CliError::Usage(error.to_string()))?;
    let contestants = contestants(args, names)?;
    let experiments = study::all(settings, &contestants);
    let wanted = |name: &str| args.name == "all" || args.name == name;
    let chosen = experiments
        .iter()
        .filter(|experiment| wanted(experiment.name()));
    let stop = stop_flag()?;
    let jobs = args.work.jobs(&stop);
    for experiment in chosen {
        let progress = Progress::new(None, format!("parts of {}", experiment.name()));
        let state = experiment.complete(&store, &jobs, &mut |done, all| progress.set_of(done, all));
        progress.finish();
        if state.map_err(failed)?.is_break() {
            return Err(CliError::Interrupted(resume()));
        }
    }
    let sections = write(&store, &experiments, settings).map_err(failed)?;
    print(text(&sections, &store))?;
    Ok(ExitCode::SUCCESS)
}

/// Checks that there is an experiment with this name, and that the agents of --with play
/// in it.
fn check_name(args: &Args, settings: StudySettings) -> Result<(), CliError> {
    let name = args.name.as_str();
    let experiments = study::all(settings, &[]);
    let names: Vec<&str> = experiments.iter().map(|it| it.name()).collect();
    if name != "all" && !names.contains(&name) {
        return Err(CliError::Usage(format!(
            "no experiment is called {name:?}; there are {} and all",
            names.join(", ")
        )));
    }
    if name != "all" && !WITH_CONTESTANTS.contains(&name) && !args.with.is_empty() {
        return Err(CliError::Usage(format!(
            "--with has no effect on {name}: it adds agents to {} and all",
            WITH_CONTESTANTS.join(", ")
        )));
    }
    Ok(())
}

/// The names of the agents of --with.
///
/// # Errors
/// If one is given twice.
fn names(with: &[AgentSpec]) -> Result<Vec<String>, CliError> {
    let names: Vec<String> = with.iter().map(AgentSpec::to_string).collect();
    let mut others = HashSet::new();
    match names.iter().find(|name| !others.insert(*name)) {
        None => Ok(names),
        Some(name) => Err(CliError::Usage(format!(
            "--with {name} is given twice; an agent with its defaults written out is the same"
        ))),
    }
}

/// The agents of --with. Those that learn do so here.
fn contestants(args: &Args, names: Vec<String>) -> Result<Vec<Contestant>, CliError> {
    let agents = (0..).zip(&args.with).zip(names);
    let contestant = |((number, spec), name)| {
        let factory = prepare(spec, derive_seed(args.work.seed, &[number]))?;
        Ok(Contestant { name, factory })
    };
    agents.map(contestant).collect()
}

/// Draws the charts of all complete experiments and writes the report.
fn write<'a>(
    store: &Store,
    experiments: &'a [Box<dyn AnyExperiment>],
    settings: StudySettings,
) -> Result<Vec<(&'a str, Section)>, ExperimentError> {
    let mut sections = Vec::new();
    for experiment in experiments {
        if let Some(section) = experiment.results(store)? {
            let section = if settings.quick {
                section.undecided()
            } else {
                section
            };
            for figure in &section.figures {
                store.write(&format!("{}.svg", figure.name), &figure.picture.svg)?;
            }
            sections.push((experiment.name(), section));
        }
    }
    store.write("report.html", &study::report(&sections, settings))?;
    Ok(sections)
}

/// The findings and the path of the report.
fn text(sections: &[(&str, Section)], store: &Store) -> String {
    let mut text = String::new();
    for (name, section) in sections {
        text += &format!("{name}: {}\n", section.title);
        for finding in &section.findings {
            let mark = match finding.holds {
                Holds::Yes => "yes",
                Holds::Partly => "partly",
                Holds::No => "no",
                Holds::Open => "open",
            };
            text += &format!(
                "  study  {}\n  here   {}\n  {mark:<6} {}\n",
                finding.study, finding.here, finding.verdict
            );
        }
    }
    text + &format!("report: {}\n", shown(&store.path("report.html")))
}

/// The command that resumes this run.
fn resume() -> String {
    format!("; resume with: {}", quoted_words(&own_words()))
}

fn failed(error: ExperimentError) -> CliError {
    match error {
        ExperimentError::Fault(_) => CliError::Failed(format!("{error}{}", resume())),
        ExperimentError::Store(error @ (StoreError::Damaged { .. } | StoreError::Csv(_))) => {
            CliError::Usage(error.to_string())
        }
        other => CliError::Failed(other.to_string()),
    }
}
