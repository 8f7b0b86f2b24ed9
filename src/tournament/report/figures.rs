//! The charts of the report: what is shown, computed from the games.

use std::collections::BTreeMap;

use super::super::settings::Settings;
use super::super::summary::Summary;
use super::chart::{Dot, Level, Series, colour, dots, lines, stacked};
use crate::record::GameRecord;
use crate::stats::{PairCounts, SprtSummary};

/// A line chart has no more points a line than this.
const MOST_POINTS: usize = 300;

/// All charts, those that have something to show.
pub fn all(settings: &Settings, summary: &Summary, records: &[GameRecord]) -> String {
    let charts = [
        ratings(summary),
        score_by_game(summary, records),
        test(settings, summary, records),
        endings(summary),
        time_by_turn(summary, records),
        lengths(records),
    ];
    let charts = charts.iter().filter(|chart| !chart.is_empty());
    let figures: String = charts
        .map(|chart| format!("<figure>{chart}</figure>"))
        .collect();
    format!("<div class=\"charts\">{figures}</div>")
}

/// The ratings; of two players the difference says it all.
fn ratings(summary: &Summary) -> String {
    if summary.players.len() < 3 {
        return String::new();
    }
    let rated = summary
        .players
        .iter()
        .filter(|player| player.error.is_finite());
    let rows: Vec<Dot> = rated
        .enumerate()
        .map(|(place, player)| Dot {
            name: player.name.clone(),
            colour: colour(place),
            value: player.elo,
            low: player.elo - player.error,
            high: player.elo + player.error,
        })
        .collect();
    dots("Ratings with their 95% intervals", "Elo", &rows)
}

/// The share of the points that each player had after each of its games.
fn score_by_game(summary: &Summary, records: &[GameRecord]) -> String {
    // Of two players one line says it all.
    let shown = if summary.players.len() == 2 {
        1
    } else {
        summary.players.len()
    };
    let series: Vec<Series> = summary.players[..shown]
        .iter()
        .enumerate()
        .map(|(place, player)| {
            let (mut games, mut points) = (0.0, 0.0);
            let scores = records.iter().filter_map(|record| {
                let seat = record
                    .players
                    .iter()
                    .position(|name| *name == player.name)?;
                games += 1.0;
                points += record.points(seat);
                Some([games, 100.0 * points / games])
            });
            Series {
                name: player.name.clone(),
                colour: colour(place),
                points: thinned(scores.collect()),
            }
        })
        .collect();
    let title = match summary.players.as_slice() {
        [player, _] => format!("Score of {} as the games went on", player.name),
        _ => "Score as the games went on".to_string(),
    };
    lines(
        &title,
        ["games of the player", "% of the points"],
        &series,
        &[],
    )
}

/// The log-likelihood ratio of the sequential test after each pair.
fn test(settings: &Settings, summary: &Summary, records: &[GameRecord]) -> String {
    let (Some(setting), Some(duel)) = (settings.sprt, &summary.duel) else {
        return String::new();
    };
    let (Some(last), Ok(sprt)) = (&duel.sprt, setting.test()) else {
        return String::new();
    };
    let mut halves: BTreeMap<u64, f64> = BTreeMap::new();
    let mut pairs = PairCounts::default();
    let mut counts = Vec::new();
    for record in records {
        let (Some(pair), Some(seat)) = (
            record.pair,
            record
                .players
                .iter()
                .position(|name| *name == duel.players[0]),
        ) else {
            continue;
        };
        match halves.remove(&pair) {
            None => drop(halves.insert(pair, record.points(seat))),
            Some(other) => {
                pairs.add(other + record.points(seat));
                counts.push(pairs);
            }
        }
    }
    let points = counts
        .iter()
        .enumerate()
        .step_by(counts.len() / MOST_POINTS + 1);
    let points =
        points.map(|(number, pairs)| [(number + 1) as f64, sprt.log_likelihood_ratio(pairs)]);
    let series = Series {
        name: "LLR".into(),
        colour: colour(0),
        points: points
            .chain(counts.last().map(|_| [counts.len() as f64, last.llr]))
            .collect(),
    };
    lines(
        &format!("Sequential test: Elo {} or {}?", setting.elo0, setting.elo1),
        ["pairs of games", "log-likelihood ratio"],
        &[series],
        &bounds(last),
    )
}

fn bounds(test: &SprtSummary) -> [Level; 2] {
    [
        (test.setting.elo1, test.upper),
        (test.setting.elo0, test.lower),
    ]
    .map(|(elo, value)| Level {
        name: format!("rather Elo {elo}"),
        value,
    })
}

/// How each player's games ended.
fn endings(summary: &Summary) -> String {
    let names = summary.endings();
    // Green for games won, red for games lost: from dark to light.
    const WON: [&str; 5] = ["#1b7837", "#5aae61", "#a6dba0", "#c7e9c0", "#e5f5e0"];
    const LOST: [&str; 8] = [
        "#b2182b", "#d6604d", "#f4a582", "#fddbc7", "#c51b7d", "#de77ae", "#f1b6da", "#fde0ef",
    ];
    let mut parts = Vec::new();
    let mut columns: Vec<Vec<u64>> = vec![Vec::new(); summary.players.len()];
    for won in [true, false] {
        let mut used = 0;
        for name in &names {
            let count = |player: &super::super::summary::PlayerSummary| {
                player
                    .endings
                    .get(*name)
                    .map_or(0, |c| if won { c.won } else { c.lost })
            };
            if summary.players.iter().all(|player| count(player) == 0) {
                continue;
            }
            let colour = if won {
                WON[used % WON.len()]
            } else {
                LOST[used % LOST.len()]
            };
            used += 1;
            parts.push((
                format!("{}: {name}", if won { "won" } else { "lost" }),
                colour,
            ));
            for (column, player) in columns.iter_mut().zip(&summary.players) {
                column.push(count(player));
            }
        }
    }
    let names = summary.players.iter().map(|player| player.name.clone());
    let rows: Vec<(String, Vec<u64>)> = names.zip(columns).collect();
    stacked("How the games ended", "games", &parts, &rows)
}

/// The mean time of each player's turns by their number in the game.
fn time_by_turn(summary: &Summary, records: &[GameRecord]) -> String {
    let mut sums: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    for record in records {
        for (index, &seconds) in record.seconds.iter().enumerate() {
            let player = record.players[record.player_of(index)].as_str();
            let turns = sums.entry(player).or_default();
            // Each player's own turns, counted from 1.
            let number = index / 2;
            if turns.len() <= number {
                turns.resize(number + 1, (0.0, 0.0));
            }
            turns[number].0 += seconds;
            turns[number].1 += 1.0;
        }
    }
    let series: Vec<Series> = summary
        .players
        .iter()
        .enumerate()
        .filter_map(|(place, player)| {
            let turns = sums.get(player.name.as_str())?.iter().enumerate();
            let means = turns.filter(|(_, (_, count))| *count > 0.0);
            Some(Series {
                name: player.name.clone(),
                colour: colour(place),
                points: means
                    .map(|(number, (sum, count))| [(number + 1) as f64, 1e3 * sum / count])
                    .collect(),
            })
        })
        .collect();
    lines(
        "Mean time of a turn",
        ["turn of the player", "milliseconds"],
        &series,
        &[],
    )
}

/// How many games had how many turns.
fn lengths(records: &[GameRecord]) -> String {
    let mut counts: Vec<f64> = Vec::new();
    for record in records.iter().filter(|record| record.why.is_none()) {
        let length = record.turns.len();
        if counts.len() <= length {
            counts.resize(length + 1, 0.0);
        }
        counts[length] += 1.0;
    }
    let points = counts
        .iter()
        .enumerate()
        .map(|(length, &count)| [length as f64, count]);
    let series = Series {
        name: "games".into(),
        colour: colour(0),
        points: points.skip_while(|point| point[1] == 0.0).collect(),
    };
    lines(
        "Length of the games",
        ["turns of both players", "games"],
        &[series],
        &[],
    )
}

/// At most [`MOST_POINTS`] of the points, the last one among them.
fn thinned(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let last = points.last().copied();
    let step = points.len() / MOST_POINTS + 1;
    let mut thinned: Vec<[f64; 2]> = points.into_iter().step_by(step).collect();
    if thinned.last().copied() != last {
        thinned.extend(last);
    }
    thinned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_the_last_point() {
        let points: Vec<[f64; 2]> = (0..1000).map(|i| [f64::from(i), 0.0]).collect();
        let thin = thinned(points);
        assert!(thin.len() <= MOST_POINTS + 1);
        assert_eq!((thin[0][0], thin[thin.len() - 1][0]), (0.0, 999.0));
        assert_eq!(thinned(vec![[1.0, 2.0]]), [[1.0, 2.0]]);
    }
}
