//! Records of tournaments and servers.

use std::path::Path;

use santorini::at_size;
use santorini::draw::AnySource;
use santorini::protocol::exchange::write_board;
use santorini::record::{Entry, GameRecord, Reader, RecordFile};
use santorini::server;
use santorini::tournament::{Results, Settings, TournamentSummary};
use serde_json::{Value, json};

use super::{CARDS, START, random_game};

fn lines(values: impl IntoIterator<Item = Value>) -> Vec<u8> {
    let lines = values.into_iter().map(|value| format!("{value}\n"));
    lines.collect::<String>().into_bytes()
}

/// Settings and two games, one of them with cards.
pub(super) fn tournament() -> Vec<u8> {
    let game = |number: u64, start: &str| {
        let (turns, positions) = random_game::<5>(start);
        let texts: Vec<String> = turns
            .iter()
            .map(|turn| turn.text::<5>().to_string())
            .collect();
        let seconds = vec![0.25; texts.len()];
        json!({"game": number, "pair": 0, "players": ["a", "b"], "start": write_board(&positions[0]),
            "turns": texts, "seconds": seconds, "setup_seconds": [0.5, 1.0], "winner": number % 2,
            "ending": "win", "why": "x", "more": {"a": [1]}})
    };
    let mut with_cards = game(1, CARDS);
    with_cards["cards"] = json!(["Pan", "Apollo"]);
    let player = |name: &str| json!({"name": name, "command": format!("./{name} 'x y'")});
    let settings = json!({"players": [player("a"), player("b")], "rounds": 3, "time": 0.5, "grace": 0.1,
        "cards": "none", "openings": {"random": 2}, "seed": 1, "reuse": true, "shard": "1/1",
        "sprt": {"elo0": 0.0, "elo1": 5.0, "alpha": 0.05, "beta": 0.05, "model": "logistic"}});
    lines([json!({"tournament": settings}), game(0, START), with_cards])
}

/// The header and a game of a server's results file.
pub(super) fn served() -> Vec<u8> {
    let answers = [
        "1 1", "4 4", "5 5", "0 5", "1 1 2", "2 2", "1 4 3", "3 2", "1 2 2", "3 2", "1 5 3", "4 2",
        "1 3 2", "4 2", "1 4 3", "4 2", "1 4 2",
    ];
    let field = json!({"bots": ["ann", "bob"], "rounds": 1});
    let game = json!({"game": 0, "round": 0, "players": ["ann", "bob"], "start": null, "turns": [],
        "seconds": [], "winner": 0, "ending": "win", "answers": answers});
    lines([json!({"tournament": field}), game])
}

pub(super) fn resume_server(path: &Path) -> bool {
    let Ok((file, Some(entries))) = RecordFile::resume(path) else {
        return false;
    };
    let resumed = server::ResultsFile::of_file(file, entries, path);
    resumed.is_ok_and(|(_, resumed)| resumed.is_some())
}

pub(super) fn use_records(bytes: &[u8], path: &Path) -> bool {
    let mut reader = Reader::new(bytes, path);
    let entries: Vec<Entry> = reader.by_ref().map_while(Result::ok).collect();
    let settings = Settings::from_entries(&entries).ok();
    let names = ["a", "b", "ann", "bob"].map(str::to_owned).to_vec();
    let mut results = Results::new(settings.as_ref().map_or(names, Settings::names));
    let mut source = AnySource::default();
    let mut used = 0;
    for entry in &entries {
        if let Entry::Game(record) = entry {
            use_record(record);
            used += u32::from(results.add(record).is_ok());
            let value = serde_json::to_value(record).unwrap();
            let boards = source.add(&value);
            let scenes = boards.map(|boards| boards.scenes).unwrap_or_default();
            if let Some(scene) = scenes.first() {
                at_size!(scene, scene => scene.svg(Default::default()));
            }
        }
    }
    if let Some(settings) = &settings {
        let summary = TournamentSummary::of(settings, &results);
        serde_json::to_string(&summary).unwrap();
    }
    if let Ok((mut file, again)) = RecordFile::resume(path) {
        assert!(again == Some(entries));
        file.append(&json!({"tournament": 1})).unwrap();
    }
    used > 0
}

fn use_record(record: &GameRecord) {
    let replayed = record.replay::<5>().is_ok() || record.replay::<6>().is_ok();
    let again: GameRecord = serde_json::from_value(serde_json::to_value(record).unwrap()).unwrap();
    assert_eq!(
        again.replay::<5>().is_ok() || again.replay::<6>().is_ok(),
        replayed
    );
    assert!(record.player_of(1) != record.player_of(0));
    let _ = (record.size(), record.points(0), record.points(1));
}
