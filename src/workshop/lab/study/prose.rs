//! The text of the report, read from the files in `text/`.

use std::fmt::Display;

use super::section::{Figure, Finding, Holds, Section};
use crate::chart::{Chart, Measured, Picture, Series};
use crate::table::{Table, whole_percent};

/// The text of one experiment: lines `key: text`, continued on indented lines.
/// `{name}` is a placeholder for a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prose(pub &'static str);

/// Values of placeholders, by name.
pub(super) type Placeholders<'a> = [(&'a str, &'a dyn Display)];

impl Prose {
    /// The text of a key on one line, with its placeholders replaced.
    ///
    /// # Panics
    /// If the file has no such key, or a placeholder has no value.
    pub(super) fn text(self, key: &str, values: &Placeholders) -> String {
        let template = self.template(key);
        let mut parts = template.split('{');
        let mut text = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let (name, rest) = part.split_once('}').expect("a placeholder ends with }");
            let value = values.iter().find(|(other, _)| *other == name);
            let (_, value) = value.unwrap_or_else(|| panic!("{key}: no value for {name}"));
            text += &value.to_string();
            text += rest;
        }
        text
    }

    /// The texts of keys without placeholders.
    pub(super) fn texts<const K: usize>(self, keys: [&str; K]) -> [String; K] {
        keys.map(|key| self.text(key, &[]))
    }

    fn template(self, key: &str) -> String {
        let mut lines = self.0.lines();
        let first = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        let first = first.unwrap_or_else(|| panic!("no text for {key}"));
        let more = lines.map_while(|line| line.strip_prefix("  "));
        let lines: Vec<&str> = std::iter::once(first).chain(more).collect();
        lines.join(" ")
    }

    /// The finding whose keys begin with `name`.
    pub(super) fn finding(self, name: &str, holds: Holds, values: &Placeholders) -> Finding {
        let text = |part| self.text(&format!("{name} {part}"), values);
        Finding {
            figure: text("figure"),
            setting: text("setting"),
            study: text("study"),
            here: text("here"),
            holds,
            verdict: text("verdict"),
        }
    }

    /// A chart of win rates.
    pub(super) fn rate_chart(
        self,
        labels: Vec<String>,
        top: f64,
        lines: &[Series<Measured>],
    ) -> Chart {
        let titles = self.texts(["chart", "chart x", "chart y"]);
        Chart::lines(titles, labels, [0.0, top], whole_percent, lines)
    }

    /// The name of the line across the chart.
    pub(super) fn baseline(self) -> String {
        self.text("chart baseline", &[])
    }

    /// A section whose first figure is `picture`, named as the experiment.
    pub(super) fn section(
        self,
        name: &str,
        picture: Picture,
        table: Table,
        findings: Vec<Finding>,
        values: &Placeholders,
    ) -> Section {
        Section {
            title: self.text("title", values),
            method: self.text("method", values),
            findings,
            figures: vec![Figure {
                name: name.into(),
                picture,
                caption: self.text("chart caption", values),
            }],
            table,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::games::MatchupStudy;
    use super::super::training::Training;
    use super::super::{Experiment, StudySettings, against_random, depth, episodes, rewards};

    fn verdicts<E: Experiment>(experiment: &E, rows: impl IntoIterator<Item = Value>) -> String {
        let rows = rows.into_iter().map(serde_json::from_value);
        let rows = rows.collect::<Result<Vec<E::Row>, _>>().unwrap();
        let findings = experiment.section(&rows).findings;
        findings
            .into_iter()
            .map(|it| it.here + &it.verdict)
            .collect()
    }

    /// Quick runs print no verdicts, so the texts of full runs are filled here.
    #[test]
    fn every_outcome_has_its_text() {
        let settings = StudySettings {
            seed: 1,
            quick: false,
        };
        let mut said = String::new();
        for rising in [false, true] {
            let training = Training::new(settings);
            said += &verdicts(
                &training,
                (0..training.units()).map(|unit| {
                    let won = if rising { unit % 80 } else { 50 };
                    json!({"rule": "", "episodes": unit, "run": 0, "games": 100, "won": won,
                        "states": 9, "pairs": 9, "decisions": 100, "known": 1})
                }),
            );
            let rewards = rewards::Rewards::new(rewards::SWEEPS[0], settings);
            let bulks = rewards.rows_per_unit() as u64;
            said += &verdicts(
                &rewards,
                (0..rewards.units() * bulks).map(|row| {
                    let (run, bulk) = (row / bulks % 20, row % bulks);
                    let reward = if rising && bulk > bulks / 2 {
                        0.02
                    } else {
                        0.0
                    };
                    json!({"parameter": "alpha", "value": 0.1, "run": run, "bulk": bulk,
                        "reward": reward})
                }),
            );
            for matchups in [
                against_random::matchups(settings, &[]),
                depth::matchups(settings),
                episodes::matchups(settings),
            ] {
                let games = matchups.games;
                let played: Vec<Value> = (matchups.matchups.iter().enumerate())
                    .flat_map(|(index, it)| (0..games).map(move |game| (index, game, it)))
                    .map(|(index, game, it)| {
                        let won = u8::from(rising && game < 25 * index as u64);
                        json!({"series": it.series, "agent": it.agent, "opponent": it.opponent,
                            "game": game, "seat": 1, "won": won, "turns": 20, "seconds": 1.0,
                            "agent_seconds": 1.0, "agent_actions": 10, "agent_longest": 0.2,
                            "moves": ""})
                    })
                    .collect();
                said += &verdicts(&MatchupStudy::new(matchups, settings, &[]), played);
            }
        }
        for text in [
            "The rate rises by",
            "Chance can explain",
            "For 5 of 5 values the reward rises",
            "For none of the 5 values does",
            "It rises: the first number",
            "There is no rise beyond chance",
            "is more than chance",
            "within chance",
            "At depth 4 it wins",
        ] {
            assert!(said.contains(text), "{text}");
        }
    }
}
