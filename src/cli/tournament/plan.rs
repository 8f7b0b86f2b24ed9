//! From the options of a tournament to its settings, openings and commands.

use std::path::Path;
use std::time::Duration;

use super::records::players_in;
use super::{Args, players};
use crate::cli::openings::{EVEN, even_book, even_card_book, file_book};
use crate::cli::{CliError, two_cards};
use crate::openings::Openings;
use crate::printable::shown;
use crate::program::{PlayerCommand, PlayerSpec, TimeLimit};
use crate::stats::SprtSetting;
use crate::tournament::{CardChoice, MOST_RANDOM_TURNS, OpeningChoice, PlayerSetting, Settings};

/// The default number of rounds, as in the tournaments of the course.
const ROUNDS: u64 = 10;

/// The number of rounds if a sequential test ends the tournament, usually much earlier.
const SPRT_ROUNDS: u64 = 1_000_000;

/// Everything needed to play.
pub(super) struct Plan {
    pub settings: Settings,
    pub openings: Openings,
    pub players: Vec<(PlayerCommand, TimeLimit)>,
}

impl Plan {
    /// The plan of the options, for new games or to resume the games of the file `resumed`.
    ///
    /// # Errors
    /// If the options are invalid, or the openings cannot be read.
    pub(super) fn new(args: &Args, resumed: Option<&Path>) -> Result<Self, CliError> {
        let mut texts = args.players.clone();
        if let Some(path) = &args.player_list {
            let skips_empty = args.keep_going || resumed.is_some();
            texts.extend(players::listed(path, skips_empty)?);
        }
        let specs = specs(&texts, resumed)?;
        let cards = cards(args)?;
        let (openings, choice) = openings(args, cards)?;
        let setting = |(spec, text): (&PlayerSpec, &String)| PlayerSetting {
            name: spec.name.clone(),
            command: text.clone(),
        };
        let start_time = args.start_time.at_least(args.time)?;
        let settings = Settings {
            players: specs.iter().zip(&texts).map(setting).collect(),
            rounds: rounds(args),
            time: args.time.as_secs_f64(),
            grace: args.grace.as_secs_f64(),
            start_time: start_time.map(|time| time.as_secs_f64()),
            cards,
            openings: choice,
            seed: args.seed,
            reuse: args.reuse,
            shard: args.shard,
            sprt: sprt(args, texts.len())?,
        };
        let time = settings.time_limit();
        Ok(Self {
            settings,
            openings,
            players: specs.into_iter().map(|spec| (spec.command, time)).collect(),
        })
    }
}

fn specs(texts: &[String], resumed: Option<&Path>) -> Result<Vec<PlayerSpec>, CliError> {
    let specs = texts.iter().map(|text| {
        let spec = text.parse::<PlayerSpec>();
        spec.map_err(|error| CliError::Usage(format!("player {text:?}: {error}")))
    });
    let mut specs = specs.collect::<Result<Vec<_>, _>>()?;
    if specs.len() < 2 {
        let there = resumed.map(|path| {
            let names = players_in(path);
            format!("; the games in {} are of {names}", shown(path))
        });
        return Err(CliError::Usage(format!(
            "a tournament needs two players or more{}",
            there.unwrap_or_default()
        )));
    }
    PlayerSpec::number_equal_names(&mut specs);
    for (index, spec) in specs.iter().enumerate() {
        if specs[..index].iter().any(|other| other.name == spec.name) {
            return Err(CliError::Usage(format!(
                "two players have the name {:?}; use NAME=COMMAND to name them",
                spec.name
            )));
        }
    }
    Ok(specs)
}

fn rounds(args: &Args) -> u64 {
    let default = if args.sprt.is_asked() {
        SPRT_ROUNDS
    } else if args.all_cards {
        1
    } else {
        ROUNDS
    };
    args.rounds.unwrap_or(default)
}

fn cards(args: &Args) -> Result<CardChoice, CliError> {
    Ok(match two_cards(args.cards.as_deref())? {
        Some(pair) => CardChoice::Pair(pair),
        None if args.all_cards => CardChoice::All,
        None => CardChoice::None,
    })
}

fn openings(args: &Args, cards: CardChoice) -> Result<(Openings, OpeningChoice), CliError> {
    let seed = args.seed;
    let book = |name: String, openings: Openings| {
        let openings = match cards {
            CardChoice::None => Ok(openings),
            _ => openings.of_cards(&cards.pairs()),
        };
        let openings = openings.map_err(|error| CliError::Usage(format!("{name}: {error}")))?;
        let choice = OpeningChoice::file(name, &openings);
        Ok((openings, choice))
    };
    match (args.openings, &args.openings_file) {
        (Some(OpeningsArg::Random(turns)), _) => Ok((
            Openings::Random { turns, seed },
            OpeningChoice::Random(turns),
        )),
        (Some(OpeningsArg::Even), _) if cards == CardChoice::None => {
            book(EVEN.into(), even_book(seed)?)
        }
        (Some(OpeningsArg::Even), _) => book(EVEN.into(), even_card_book(seed)?),
        (None, Some(path)) => book(path.to_string_lossy().into_owned(), file_book(path, seed)?),
        (None, None) => Ok((Openings::SetUp, OpeningChoice::SetUp)),
    }
}

fn sprt(args: &Args, players: usize) -> Result<Option<SprtSetting>, CliError> {
    let setting = args.sprt.setting()?;
    if setting.is_some() && players != 2 {
        return Err(CliError::Usage(format!(
            "--sprt compares two players; there are {players}"
        )));
    }
    Ok(setting)
}

/// The value of `--openings`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpeningsArg {
    /// This number of random turns.
    Random(u32),
    /// The built-in book.
    Even,
}

/// Reads the argument of `--openings`.
pub(super) fn parse_openings(text: &str) -> Result<OpeningsArg, String> {
    if text == EVEN {
        return Ok(OpeningsArg::Even);
    }
    let turns = text
        .parse()
        .ok()
        .filter(|&turns| turns <= MOST_RANDOM_TURNS);
    turns.map(OpeningsArg::Random).ok_or_else(|| {
        format!("use a number of random turns from 0 to {MOST_RANDOM_TURNS}, or {EVEN}")
    })
}

/// Reads the tolerance of the time limit, which may be 0.
pub(super) fn parse_grace(text: &str) -> Result<Duration, String> {
    match text.trim().parse::<f64>() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("use seconds from 0 to 3600".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_a_number_or_even() {
        assert_eq!(parse_openings("4"), Ok(OpeningsArg::Random(4)));
        assert_eq!(parse_openings("even"), Ok(OpeningsArg::Even));
        for wrong in ["31", "-1", "odd", ""] {
            assert!(parse_openings(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn grace_may_be_zero_but_not_negative() {
        assert_eq!(parse_grace("0"), Ok(Duration::ZERO));
        assert_eq!(parse_grace("0.25"), Ok(Duration::from_millis(250)));
        for wrong in ["-1", "nan", "inf", "x", "1e9"] {
            assert!(parse_grace(wrong).is_err(), "{wrong}");
        }
    }
}
