//! The study's Fig. 6: alpha-beta's win rate against Monte Carlo with 500
//! episodes, by search depth.

use super::StudySettings;
use super::games::{Matchup, Matchups};
use super::prose::Prose;
use super::section::{Finding, Holds};
use super::tally::{
    ACTION_TIME, AGENT, OPPONENT, TURNS, Tally, WIN_RATE, WON, by_series, rate_lines,
};
use crate::chart::Picture;
use crate::table::{Column, Table};

const PROSE: Prose = Prose(include_str!("text/depth.txt"));

/// Parameters of the study's heuristic with all signs reversed, and a win
/// worth more than the rest.
pub(super) const REVERSED: &str = ",height=-100,centre=-10,mobility=-20,distance=-70,win=10000";

/// The heuristics of the chart, each played at every depth.
const HEURISTICS: [(&str, &str); 3] = [
    ("weights of the study", ""),
    (
        "no heuristic, only wins",
        ",height=0,centre=0,mobility=0,distance=0",
    ),
    ("weights reversed, wins first", REVERSED),
];

/// The study's heuristic with one sign reversed, played at depth 2.
const ONE_REVERSED: [(&str, &str); 4] = [
    ("height", ",height=-100"),
    ("tile values", ",centre=-10"),
    ("adjacent tiles", ",mobility=-20"),
    ("distance", ",distance=-70"),
];

/// The depths at which the reversed heuristic plays random.
const RANDOM_DEPTHS: [u32; 2] = [2, 3];

/// The results that the study's text gives: depth and win rate.
const STUDY: [(u32, f64); 2] = [(2, 0.0), (4, 1.0)];

/// The matchups of the chart, then further ones that look for the reason for differences
/// from the study.
pub(super) fn matchups(settings: StudySettings) -> Matchups {
    let depths = if settings.quick { 2 } else { 4 };
    let matchup = |series, depth: u32, weights: &str, opponent| {
        let agent = format!("alphabeta:depth={depth}{weights}");
        Matchup::new(series, agent, opponent, depth.into())
    };
    let monte_carlo = "mc:episodes=500";
    let by_depth = HEURISTICS.iter().flat_map(|&(series, weights)| {
        (1..=depths).map(move |depth| matchup(series, depth, weights, monte_carlo))
    });
    let one =
        ONE_REVERSED.map(|(_, weights)| matchup("one weight reversed", 2, weights, monte_carlo));
    let random = RANDOM_DEPTHS.map(|depth| {
        let series = "weights reversed, wins first, against random";
        matchup(series, depth, REVERSED, "random")
    });
    Matchups {
        name: "fig6",
        prose: PROSE,
        games: settings.games(100),
        matchups: by_depth.chain(one).chain(random).collect(),
        chart,
        table: |tallies| {
            let heuristic: Column<Tally> = ("heuristic", |tally| tally.series.clone());
            let columns = [
                heuristic,
                AGENT,
                OPPONENT,
                WON,
                WIN_RATE,
                TURNS,
                ACTION_TIME,
            ];
            Table::of(&columns, tallies)
        },
        findings: |tallies| {
            let all = by_series(tallies);
            let (series, checks) = all.split_at(HEURISTICS.len());
            vec![shallow(series, checks), deep(series)]
        },
    }
}

fn chart(tallies: &[Tally]) -> Picture {
    let series = &by_series(tallies)[..HEURISTICS.len()];
    let depths = series[0].len();
    let labels = (1..=depths).map(|depth| depth.to_string());
    let known = STUDY.map(|(depth, rate)| (depth as usize - 1, rate));
    let known: Vec<_> = known.into_iter().filter(|&(x, _)| x < depths).collect();
    PROSE
        .rate_chart(labels.collect(), 1.05, &rate_lines(series))
        .marks(PROSE.text("chart marks", &[]), &known)
        .baseline(PROSE.baseline(), 0.5)
        .picture()
}

/// The claim that depth 2 cannot win.
fn shallow(series: &[&[Tally]], checks: &[&[Tally]]) -> Finding {
    let [ours, none, reversed] = [0, 1, 2].map(|index: usize| &series[index][1]);
    let one = ONE_REVERSED.iter().zip(checks[0]);
    let one = one.map(|((name, _), tally)| format!("{name} {}", tally.rate_text()));
    let random = RANDOM_DEPTHS.iter().zip(checks[1]);
    let random = random.map(|(depth, tally)| format!("{} at depth {depth}", tally.rate_text()));
    PROSE.finding(
        "shallow",
        Holds::below(ours.win_rate().value, 0.1, 0.5),
        &[
            ("games", &ours.games),
            ("ours", &ours.rate_text()),
            ("none", &none.rate_text()),
            ("reversed", &reversed.rate_text()),
            ("one", &one.collect::<Vec<String>>().join(", ")),
            ("random", &random.collect::<Vec<String>>().join(", ")),
        ],
    )
}

/// The claim that depth 4 wins.
fn deep(series: &[&[Tally]]) -> Finding {
    let ends = |index: usize| [0, series[index].len() - 1].map(|depth| &series[index][depth]);
    let change = |index| {
        let [from, to] = ends(index).map(Tally::rate_text);
        format!("from {from} to {to}")
    };
    let rate = |tally: &Tally| tally.win_rate().value;
    let rises = |index| ends(index).map(rate).is_sorted();
    let depth = series[0].len();
    let ours = &series[0][depth - 1];
    let holds = match rate(ours) {
        rate if rate > 0.9 && rises(1) && rises(2) => Holds::Yes,
        rate if rate > 0.5 => Holds::Partly,
        _ => Holds::No,
    };
    let mut finding = PROSE.finding(
        "deep",
        holds,
        &[
            ("games", &ours.games),
            ("depth", &depth),
            ("ours", &ours.rate_text()),
            ("none", &change(1)),
            ("reversed", &change(2)),
        ],
    );
    if depth < 4 {
        finding.here = PROSE.text("quick here", &[("depth", &depth)]);
    }
    finding
}
