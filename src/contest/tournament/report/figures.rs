//! The charts of the report, computed from the games.

use std::collections::{BTreeMap, HashMap};

use super::super::settings::Settings;
use super::super::summary::{PlayerSummary, TournamentSummary};
use crate::chart::{Chart, Measured, Series, Tone, whole};
use crate::record::GameRecord;
use crate::stats::PairCounts;
use crate::table::shortened;

/// The maximum number of players with a curve in a chart: the number of colours.
const MOST_CURVES: usize = 10;

/// The maximum number of points of a curve.
const MOST_POINTS: usize = 300;

/// All charts that have data, as HTML.
pub(super) fn all(
    settings: &Settings,
    summary: &TournamentSummary,
    records: &[GameRecord],
) -> String {
    let charts = [
        ratings(summary),
        score_by_game(summary, records),
        test(settings, summary, records),
        endings(summary),
        time_by_turn(summary, records),
        lengths(records),
    ];
    let charts = charts.iter().flatten();
    let figures: String = charts
        .map(|chart| format!("<figure>{}</figure>", chart.picture().html))
        .collect();
    format!("<div class=\"charts\">{figures}</div>")
}

/// The ratings of three or more players; the table shows the difference of two.
fn ratings(summary: &TournamentSummary) -> Option<Chart> {
    let players = summary.players.iter();
    let rated = players.filter(|player| player.error.is_finite());
    let rows = rated.map(|player| {
        let measured = Measured {
            value: player.elo,
            low: player.elo - player.error,
            high: player.elo + player.error,
        };
        (shortened(&player.name), measured)
    });
    let rows: Vec<(String, Measured)> = rows.collect();
    if summary.players.len() < 3 || rows.is_empty() {
        return None;
    }
    let titles = ["Ratings with their 95% intervals", "Elo"];
    Some(Chart::rows(titles, whole, &rows))
}

/// The share of the points that each player had after each of its games.
fn score_by_game(summary: &TournamentSummary, records: &[GameRecord]) -> Option<Chart> {
    // With two players, the second curve would mirror the first.
    let shown = match best(summary) {
        [first, _] => std::slice::from_ref(first),
        best => best,
    };
    let names = shown.iter().map(|player| player.name.as_str());
    let places: HashMap<&str, usize> = names.zip(0..).collect();
    let mut points = vec![0.0; shown.len()];
    let mut scores: Vec<Vec<[f64; 2]>> = vec![Vec::new(); shown.len()];
    for record in records {
        for (seat, name) in record.players.iter().enumerate() {
            if let Some(&place) = places.get(name.as_str()) {
                points[place] += record.points(seat);
                let games = (scores[place].len() + 1) as f64;
                scores[place].push([games, 100.0 * points[place] / games]);
            }
        }
    }
    let curves = shown.iter().zip(scores).map(|(player, scores)| Series {
        name: shortened(&player.name),
        values: thinned(scores),
    });
    let curves: Vec<Series<[f64; 2]>> = curves.collect();
    let title = match summary.players.as_slice() {
        [player, _] => format!("Score of {} as the games went on", shortened(&player.name)),
        _ => of_the_best("Score as the games went on", summary),
    };
    let titles = [&title, "games of the player", "% of the points"];
    Chart::curves(titles, &curves, &[])
}

/// The log-likelihood ratio of the sequential test after each pair.
fn test(settings: &Settings, summary: &TournamentSummary, records: &[GameRecord]) -> Option<Chart> {
    let (Some(setting), Some(duel)) = (settings.sprt, &summary.duel) else {
        return None;
    };
    let (Some(last), Ok(sprt)) = (&duel.sprt, setting.test()) else {
        return None;
    };
    let mut halves: BTreeMap<u64, f64> = BTreeMap::new();
    let mut pairs = PairCounts::default();
    let mut counts = Vec::new();
    for record in records {
        let (Some(pair), Some(seat)) = (record.pair, record.seat_of(&duel.players[0])) else {
            continue;
        };
        match halves.remove(&pair) {
            None => drop(halves.insert(pair, record.points(seat))),
            Some(other) => {
                pairs.add(other + record.points(seat));
                counts.push((counts.len() + 1, pairs));
            }
        }
    }
    let points = thinned(counts).into_iter();
    let points = points.map(|(number, pairs)| [number as f64, sprt.log_likelihood_ratio(&pairs)]);
    let curve = Series {
        name: "LLR".into(),
        values: points.collect(),
    };
    let title = format!("Sequential test: Elo {} or {}?", setting.elo0, setting.elo1);
    let titles = [&title, "pairs of games", "log-likelihood ratio"];
    let bounds = [(setting.elo1, last.upper), (setting.elo0, last.lower)];
    let levels = bounds.map(|(elo, value)| (format!("rather Elo {elo}"), value));
    Chart::curves(titles, &[curve], &levels)
}

/// How each player's games ended.
fn endings(summary: &TournamentSummary) -> Option<Chart> {
    let names = summary.endings();
    let mut parts = Vec::new();
    let mut columns: Vec<Vec<u64>> = vec![Vec::new(); summary.players.len()];
    for won in [true, false] {
        let mut used = 0;
        for name in &names {
            let count = |player: &PlayerSummary| {
                let count = player.endings.get(*name);
                count.map_or(0, |c| if won { c.won } else { c.lost })
            };
            if summary.players.iter().all(|player| count(player) == 0) {
                continue;
            }
            // Green for games won, red for games lost.
            let (word, tone) = if won {
                ("won", Tone::Won(used))
            } else {
                ("lost", Tone::Lost(used))
            };
            used += 1;
            parts.push((format!("{word}: {name}"), tone));
            for (column, player) in columns.iter_mut().zip(&summary.players) {
                column.push(count(player));
            }
        }
    }
    let names = summary.players.iter().map(|player| shortened(&player.name));
    let rows: Vec<(String, Vec<u64>)> = names.zip(columns).collect();
    Chart::stacked(["How the games ended", "games"], &parts, &rows)
}

/// The mean time of a turn by its number in the game, for each player.
fn time_by_turn(summary: &TournamentSummary, records: &[GameRecord]) -> Option<Chart> {
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
    let curves: Vec<Series<[f64; 2]>> = best(summary)
        .iter()
        .filter_map(|player| {
            let turns = sums.get(player.name.as_str())?.iter().enumerate();
            let means = turns.filter(|(_, (_, count))| *count > 0.0);
            Some(Series {
                name: shortened(&player.name),
                values: means
                    .map(|(number, (sum, count))| [(number + 1) as f64, 1e3 * sum / count])
                    .collect(),
            })
        })
        .collect();
    let title = of_the_best("Mean time of a turn", summary);
    let titles = [&title, "turn of the player", "milliseconds"];
    Chart::curves(titles, &curves, &[])
}

/// The number of games of each length in turns.
fn lengths(records: &[GameRecord]) -> Option<Chart> {
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
    let curve = Series {
        name: "games".into(),
        values: points.skip_while(|point| point[1] == 0.0).collect(),
    };
    let titles = ["Length of the games", "turns of both players", "games"];
    Chart::curves(titles, &[curve], &[])
}

/// The players with a curve.
fn best(summary: &TournamentSummary) -> &[PlayerSummary] {
    &summary.players[..summary.players.len().min(MOST_CURVES)]
}

/// The title of a chart with the curves of the [`best`] players.
fn of_the_best(title: &str, summary: &TournamentSummary) -> String {
    match summary.players.len() {
        ..=MOST_CURVES => title.to_string(),
        players => format!("{title}: the first {MOST_CURVES} of {players} players"),
    }
}

/// At most [`MOST_POINTS`] of the points, and always the last one.
fn thinned<T>(points: Vec<T>) -> Vec<T> {
    let (step, last) = (
        points.len() / MOST_POINTS + 1,
        points.len().saturating_sub(1),
    );
    let points = points.into_iter().enumerate();
    let points = points.filter(|(number, _)| number % step == 0 || *number == last);
    points.map(|(_, point)| point).collect()
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
