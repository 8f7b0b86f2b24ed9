//! The cards of an option: their names in any case.

use clap::builder::{ValueParser, ValueParserFactory};

use crate::rules::{Card, UnknownCard};

/// The parser of all options with cards.
impl ValueParserFactory for Card {
    type Parser = ValueParser;

    fn value_parser() -> ValueParser {
        ValueParser::new(read_card)
    }
}

fn read_card(name: &str) -> Result<Card, UnknownCard> {
    let mut cards = Card::ALL.into_iter();
    let found = cards.find(|card| card.name().eq_ignore_ascii_case(name));
    found.map_or_else(|| name.parse(), Ok)
}
