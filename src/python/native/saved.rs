//! All of a batch as a text in JSON, for copies and pickles.

use pyo3::prelude::*;
use santorini::at_size;
use santorini::rules::{AnySize, Card, Cards, Position, Square, Turn};
use serde_json::{Value, json};

use crate::convert::wrong;
use crate::stage::{Ended, Placing, Stage};
use crate::stages::{Deal, Last, Setting, Slot, Stages, Start};

/// The games of a batch.
pub type Games = AnySize<Stages<5>, Stages<6>>;

pub fn write(games: &Games) -> String {
    at_size!(games, games => write_games(games)).to_string()
}

pub fn read(text: &str) -> PyResult<Games> {
    let value: Value = serde_json::from_str(text).map_err(wrong)?;
    let games = match value["size"].as_u64() {
        Some(6) => read_games(&value).map(AnySize::Six),
        _ => read_games(&value).map(AnySize::Five),
    };
    games.ok_or_else(|| wrong("state: it is not that of a batch"))
}

fn write_games<const N: usize>(games: &Stages<N>) -> Value {
    let Setting {
        start,
        deal,
        restart,
    } = games.setting;
    let last = |last: &Last<N>| json!([last.game, ended(&last.ended), last.length]);
    let slot = |slot: &Slot<N>| json!([stage(&slot.stage), slot.begun, slot.length]);
    json!({
        "size": N,
        "seed": games.seed,
        "drawn": games.drawn,
        "turns": match start {
            Start::Empty => None,
            Start::Random(turns) => Some(turns),
        },
        "cards": match deal {
            Deal::None => json!(null),
            Deal::Pair(pair) => json!(pair.map(Card::name)),
            Deal::Random => json!("random"),
        },
        "restart": restart,
        "games": games.slots.iter().map(slot).collect::<Vec<_>>(),
        "last": games.last.iter().map(last).collect::<Vec<_>>(),
    })
}

fn read_games<const N: usize>(value: &Value) -> Option<Stages<N>> {
    let deal = match &value["cards"] {
        Value::Null => Deal::None,
        Value::String(_) => Deal::Random,
        pair => Deal::Pair([read_card(&pair[0])??, read_card(&pair[1])??]),
    };
    let start = match &value["turns"] {
        Value::Null => Start::Empty,
        turns => Start::Random(number(turns)?),
    };
    let slots: Option<Vec<_>> = value["games"].as_array()?.iter().map(read_slot).collect();
    let slots = slots.filter(|slots| !slots.is_empty())?;
    let last = value["last"].as_array()?.iter().map(|value| {
        let game = value[0].as_u64()? as usize;
        Some(Last {
            game: Some(game).filter(|&game| game < slots.len())?,
            ended: read_ended(&value[1])?,
            length: number(&value[2])?,
        })
    });
    let last: Option<Vec<_>> = last.collect();
    let games = Stages {
        setting: Setting {
            start,
            deal,
            restart: value["restart"].as_bool()?,
        },
        seed: value["seed"].as_u64()?,
        drawn: value["drawn"].as_u64()?,
        last: last?,
        slots,
    };
    let has_cards = games.setting.has_cards();
    let last = games.last.iter().map(|last| Stage::Over(last.ended));
    let mut stages = games.slots.iter().map(|slot| slot.stage).chain(last);
    let fits = stages.all(|stage| stage.has_cards() == has_cards);
    fits.then_some(games)
}

fn number(value: &Value) -> Option<u32> {
    u32::try_from(value.as_u64()?).ok()
}

fn read_card(value: &Value) -> Option<Option<Card>> {
    match value {
        Value::Null => Some(None),
        name => Some(Some(name.as_str()?.parse().ok()?)),
    }
}

/// A position as text, the squares of a placement, or the position before the last turn
/// and that turn.
fn stage<const N: usize>(stage: &Stage<N>) -> Value {
    match stage {
        Stage::Placing(placing) => json!({
            "placed": placing.placed.map(|square| square.map(Square::index)),
            "cards": placing.cards.map(|card| card.map(Card::name)),
        }),
        Stage::Playing(position) => json!(position.to_string()),
        Stage::Over(it) => ended(it),
    }
}

fn ended<const N: usize>(ended: &Ended<N>) -> Value {
    json!([ended.before.to_string(), ended.turn.text::<N>().to_string()])
}

fn read_slot<const N: usize>(value: &Value) -> Option<Slot<N>> {
    let stage = match &value[0] {
        Value::String(text) => {
            let position: Position<N> = text.parse().ok()?;
            Stage::Playing(Some(position).filter(Position::has_turn)?)
        }
        Value::Array(_) => Stage::Over(read_ended(&value[0])?),
        placing => Stage::Placing(read_placing::<N>(placing)?),
    };
    Some(Slot {
        stage,
        begun: number(&value[1])?,
        length: number(&value[2])?,
    })
}

fn read_placing<const N: usize>(value: &Value) -> Option<Placing> {
    let mut placed = [None; 3];
    for (place, value) in placed.iter_mut().zip(value["placed"].as_array()?) {
        if let Some(index) = value.as_u64() {
            let index = usize::try_from(index).ok().filter(|&index| index < N * N)?;
            *place = Some(Square::new(index));
        }
    }
    let cards: Cards = [
        read_card(&value["cards"][0])?,
        read_card(&value["cards"][1])?,
    ];
    let placing = Placing { placed, cards };
    // With two workers on one square, the placement could never end.
    let squares = placed.into_iter().flatten().chain(placing.free::<N>());
    let squares: Vec<Square> = squares.take(4).collect();
    let workers = [[squares[0], squares[1]], [squares[2], squares[3]]];
    Position::<N>::start(workers, cards).ok()?;
    Some(placing)
}

fn read_ended<const N: usize>(value: &Value) -> Option<Ended<N>> {
    let before: Position<N> = value[0].as_str()?.parse().ok()?;
    let turn: Turn = before.read_turn(value[1].as_str()?).ok()?;
    Some(Ended { before, turn })
}
