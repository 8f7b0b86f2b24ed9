//! Advice for the person: hints, a review of the game, the rules in words.

use std::io::Write;

use super::opponent::{Opponent, setup_of};
use super::session::{Failure, Session};
use super::story::Story;
use crate::draw::{AnyScene, Scene, Seat};
use crate::levels::{Handicap, Level};
use crate::printable::printable;
use crate::review::{chance, review, review_text};
use crate::rules::words;
use crate::rules::{Card, Cards, Placement, Position, Turn};
use crate::search::{Engine, EngineOptions, Limits, Report};
use crate::seeds::fresh_seed;

/// The nodes that a review searches on each board: some hundredths of a second.
const REVIEW_NODES: u64 = 150_000;

/// The turns of an expected line that are told.
const LINE_TURNS: usize = 5;

/// The greatest width of text, in characters: longer lines are hard to read.
const WIDTH: usize = 78;

impl<const N: usize, W: Write> Session<N, W>
where
    AnyScene: From<Scene<N>>,
{
    /// What the built-in player thinks of a position.
    pub(super) fn advise(&mut self, position: &Position<N>) -> Result<Report, Failure> {
        let limits = Limits::time(self.options.hint_time);
        let stop = self.input.stop_flag();
        let report = helper(&mut self.helper).search(position, &limits, stop, &mut |_| {});
        self.check_stopped()?;
        Ok(report)
    }

    /// Where the built-in player would place its workers.
    pub(super) fn advise_placement(
        &mut self,
        cards: Cards,
        first: Option<Placement>,
    ) -> Result<Placement, Failure> {
        let (setup, time) = (setup_of(cards, first), self.options.hint_time);
        let stop = self.input.stop_flag();
        let placed = helper(&mut self.helper).place(&setup, time, stop, &mut |_| {});
        self.check_stopped()?;
        Ok(placed)
    }

    /// Says which turn is best, how good it is, and what is expected after it.
    pub(super) fn hint(&mut self, story: &Story<N>) -> Result<(), Failure> {
        if story.scene().winner().is_some() {
            return self.say("the game is over");
        }
        let position = *story.position();
        let report = self.advise(&position)?;
        let Some((best, then)) = report.lines.first().and_then(|it| it.turns.split_first()) else {
            return self.say("no turn was found");
        };
        let text = |turn: &Turn| turn.text::<N>().to_string();
        let percent = 100.0 * chance(&position, report.score());
        let mut said = format!(
            "the built-in player would play {} (score {}, a chance of {percent:.0}% to win)",
            text(best),
            report.score_text()
        );
        if !then.is_empty() {
            let then: Vec<String> = then.iter().take(LINE_TURNS).map(text).collect();
            said += &format!("\nit expects then: {}", then.join(" "));
        }
        self.say(&said)
    }

    /// Judges the turns up to the board that is looked at.
    pub(super) fn review(&mut self, story: &Story<N>) -> Result<(), Failure> {
        let scenes = story.so_far();
        let turns = scenes
            .iter()
            .skip(1)
            .map(|scene| scene.last().map(|last| last.turn));
        let Some(turns) = turns.collect::<Option<Vec<Turn>>>() else {
            return self.say("a board is missing, or no legal turn leads to it");
        };
        if turns.is_empty() {
            return self.say("no turn was played yet");
        }
        if self.options.prompt {
            self.say(&format!("looking at {} boards...", scenes.len()))?;
        }
        let start = *scenes[0].position();
        let limits = Limits::nodes(REVIEW_NODES);
        let stop = self.input.stop_flag();
        let found = review(
            &start,
            &turns,
            helper(&mut self.helper),
            &limits,
            stop,
            &mut |_, _| {},
        );
        self.check_stopped()?;
        let Some(review) = found else {
            return Ok(());
        };
        let names = Seat::BOTH.map(|seat| scenes[0].title(seat));
        let options = &self.options;
        let text = review_text(&review, &names, options.style, options.width);
        self.say(text.trim_end())
    }

    /// Lets the built-in player play at another level.
    pub(super) fn set_level(&mut self, text: &str) -> Result<(), Failure> {
        let level: Level = match text.parse() {
            Ok(level) => level,
            Err(error) => return self.say(&printable(&format!("{error}"))),
        };
        let (Opponent::Engine(_, time) | Opponent::Level(_, _, time)) = &self.opponent else {
            return self.say("only this program plays at levels, and it does not play here");
        };
        let time = *time;
        self.opponent = if level == Level::HIGHEST {
            Opponent::engine(time)
        } else {
            let (strength, seed) = (level.strength(), fresh_seed());
            Opponent::level(level, Handicap { strength, seed }, time)
        };
        if let Some(keeper) = &mut self.options.keeper {
            keeper.playing.level = Some(level.number());
        }
        self.say(&format!(
            "the opponent plays at level {level} now: {}",
            level.about()
        ))
    }
}

/// The engine that advises, made when it is first asked.
fn helper<const N: usize>(helper: &mut Option<Engine<N>>) -> &mut Engine<N> {
    helper.get_or_insert_with(|| Engine::new(EngineOptions::default()))
}

/// The rules of the game.
pub fn rules() -> String {
    let parts = words::RULES.map(|[head, text]| format!("{head}\n{}", indented(text)));
    parts.join("\n")
}

/// What the cards do that are in the game, or the one with this name; without
/// cards in the game, what all do.
pub fn cards<const N: usize>(scene: &Scene<N>, name: Option<&str>) -> String {
    let chosen: Vec<Card> = match name {
        Some(name) => {
            let same = |card: &&Card| card.name().eq_ignore_ascii_case(name);
            match Card::ALL.iter().find(same) {
                Some(card) => vec![*card],
                None => {
                    let names = Card::ALL.map(Card::name).join(", ");
                    return format!(
                        "no card is called {:?}; the cards are {names}",
                        printable(name)
                    );
                }
            }
        }
        None => Seat::BOTH
            .into_iter()
            .filter_map(|seat| scene.card(seat))
            .collect(),
    };
    let (intro, shown) = if chosen.is_empty() {
        (
            "This game is played without cards. These there are:\n",
            Card::ALL.to_vec(),
        )
    } else {
        ("", chosen)
    };
    let texts: Vec<String> = shown
        .into_iter()
        .map(|card| format!("{card}\n{}", indented(words::card(card))))
        .collect();
    format!("{intro}{}", texts.join("\n"))
}

/// Text in lines that fit a terminal, each indented.
fn indented(text: &str) -> String {
    let mut lines = vec![String::from(" ")];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line");
        if line.len() + word.len() >= WIDTH {
            lines.push(format!("  {word}"));
        } else {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_cards_are_told_in_lines_that_fit() {
        let scene = |cards| Scene::<5>::placing([None, None], cards);
        let two = scene([Some(Card::Pan), Some(Card::Atlas)]);
        let text = cards(&two, None);
        assert!(text.starts_with("Pan\n  You also win"), "{text}");
        assert_eq!(
            text.lines().filter(|line| !line.starts_with(' ')).count(),
            2
        );
        let one = cards(&two, Some("MINOTAUR"));
        assert!(
            one.starts_with("Minotaur\n") && one.contains("push"),
            "{one}"
        );
        assert!(cards(&two, Some("Zeus")).contains("the cards are Apollo, Artemis"));
        let all = cards(&scene([None; 2]), None);
        for card in Card::ALL {
            assert!(all.contains(&format!("{card}\n  ")), "{all}");
        }
        for line in rules().lines().chain(all.lines()) {
            assert!(line.len() <= WIDTH, "{line}");
        }
    }
}
