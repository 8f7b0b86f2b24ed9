//! Help for the person: hints, a review of the game, the rules and cards.

use super::cursor::GameCursor;
use super::opponent::Opponent;
use super::session::{Session, SessionError};
use crate::draw::{Scene, Seat};
use crate::levels::{Handicap, Level};
use crate::printable::printable;
use crate::review::{chance, review, review_text};
use crate::rules::{Card, Cards, Placement, Position, Setup, Turn, words};
use crate::search::{Engine, EngineOptions, Limits, Report};
use crate::seeds::fresh_seed;

/// The nodes that a review searches on each board: a few hundredths of a second.
const REVIEW_NODES: u64 = 150_000;

/// The number of turns shown of an expected line.
const LINE_TURNS: usize = 5;

/// The maximum width of text, in characters: longer lines are hard to read.
const WIDTH: usize = 78;

impl<const N: usize> Session<N> {
    /// Searches a position with the built-in player.
    pub(super) fn advise(&mut self, position: &Position<N>) -> Result<Report, SessionError> {
        let limits = Limits::time(self.options.hint_time);
        let stop = self.input.stop_flag();
        let report = helper(&mut self.helper).search(position, &limits, stop, &mut |_| {});
        self.check_stopped()?;
        Ok(report)
    }

    /// The built-in player's placement.
    pub(super) fn advise_placement(
        &mut self,
        cards: Cards,
        first: Option<Placement>,
    ) -> Result<Placement, SessionError> {
        let setup = Setup::new(cards, first);
        let limits = Limits::time(self.options.hint_time);
        let stop = self.input.stop_flag();
        let placed = helper(&mut self.helper).place(&setup, &limits, stop, &mut |_| {});
        self.check_stopped()?;
        Ok(placed)
    }

    /// Shows the best turn, its score and the expected line.
    pub(super) fn hint(&mut self, cursor: &GameCursor<N>) -> Result<(), SessionError> {
        if cursor.scene().winner().is_some() {
            return self.say("the game is over");
        }
        let position = *cursor.position();
        let report = self.advise(&position)?;
        let Some((best, then)) = report.lines.first().and_then(|it| it.turns.split_first()) else {
            return self.say("no turn found");
        };
        let text = |turn: &Turn| turn.text::<N>().to_string();
        let percent = 100.0 * chance(&position, report.score());
        let mut said = format!(
            "best turn: {} (score {}, {percent:.0}% chance of winning)",
            text(best),
            report.score_text()
        );
        if !then.is_empty() {
            let then: Vec<String> = then.iter().take(LINE_TURNS).map(text).collect();
            said += &format!("\nexpected line: {}", then.join(" "));
        }
        self.say(&said)
    }

    /// Reviews the turns of the game, up to a board to which no legal turn leads.
    pub(super) fn review(&mut self, cursor: &GameCursor<N>) -> Result<(), SessionError> {
        let scenes = cursor.game();
        let turns = scenes.iter().skip(1).map_while(Scene::last);
        let turns: Vec<Turn> = turns.map(|last| last.turn).collect();
        if let Some(gap) = scenes.get(turns.len() + 1) {
            let gap = gap.position().turn();
            self.say(&format!(
                "no legal turn leads to the board of turn {gap}; only the turns before it are \
                 judged"
            ))?;
        }
        if turns.is_empty() {
            return self.say("there is no turn to judge");
        }
        if self.options.prompt {
            self.say(&format!("reviewing {} boards...", turns.len() + 1))?;
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
        self.put(text.trim_end())
    }

    /// Writes rules, wrapped to the terminal and to [`WIDTH`].
    pub(super) fn explain(&mut self, text: &str) -> Result<(), SessionError> {
        let width = self.options.width.map_or(WIDTH, |width| width.min(WIDTH));
        self.put(&wrapped(text, width))
    }

    /// Sets the level of the built-in player.
    pub(super) fn set_level(
        &mut self,
        cursor: &mut GameCursor<N>,
        text: &str,
    ) -> Result<(), SessionError> {
        let level: Level = match text.parse() {
            Ok(level) => level,
            Err(error) => return self.say(&error.to_string()),
        };
        let (Opponent::Engine(_, time) | Opponent::Level(_, _, time)) = &self.opponent else {
            return self.say("only the built-in player has levels, and it is not playing here");
        };
        let time = *time;
        let old = self.opponent.name().to_string();
        self.opponent = if level == Level::HIGHEST {
            Opponent::engine(time)
        } else {
            let (strength, seed) = (level.strength(), fresh_seed());
            Opponent::level(level, Handicap { strength, seed }, time)
        };
        cursor.rename(self.options.seat.other(), &old, self.opponent.name());
        if let Some(autosave) = &mut self.options.autosave {
            autosave.players.level = Some(level.number());
        }
        self.say(&format!(
            "the opponent now plays at level {level} ({}):\n{}",
            level.elo_text(),
            level.about()
        ))
    }
}

/// The engine for hints and reviews, created at first use.
fn helper<const N: usize>(helper: &mut Option<Engine<N>>) -> &mut Engine<N> {
    helper.get_or_insert_with(|| Engine::new(EngineOptions::default()))
}

/// The rules of the game, each on one line.
pub(super) fn rules() -> String {
    let parts = words::RULES.map(|[head, text]| format!("{head}\n  {text}"));
    parts.join("\n")
}

/// Explains the named card, or else the cards of the game; all cards if it has none. Each
/// explanation is one line.
pub(super) fn cards<const N: usize>(scene: &Scene<N>, name: Option<&str>) -> String {
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
        ("This game has no cards. All cards:\n", Card::ALL.to_vec())
    } else {
        ("", chosen)
    };
    let texts: Vec<String> = shown
        .into_iter()
        .map(|card| format!("{card}\n  {}", words::card(card)))
        .collect();
    format!("{intro}{}", texts.join("\n"))
}

/// Wraps lines at spaces to a width in characters. The rest of a line is indented like its
/// beginning. A longer word is not broken.
pub(super) fn wrapped(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let indent = &line[..line.len() - line.trim_start().len()];
        let mut words = line.trim_start().split(' ');
        lines.push(format!("{indent}{}", words.next().unwrap_or_default()));
        for word in words {
            let last = lines.last_mut().expect("there is a line");
            if last.chars().count() + 1 + word.chars().count() <= width {
                *last += &format!(" {word}");
            } else {
                lines.push(format!("{indent}{word}"));
            }
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_and_cards_fit_the_width() {
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
        for width in [30, WIDTH] {
            let [rules, all] = [rules(), all.clone()].map(|text| wrapped(&text, width));
            assert!(rules.lines().count() > 9);
            for line in rules.lines().chain(all.lines()) {
                assert!(line.len() <= width, "{line}");
            }
        }
    }

    #[test]
    fn lines_are_wrapped_at_spaces_and_keep_their_indent() {
        let text = "one two three\n\n  four five-and-six seven\n   ▲ 8";
        assert_eq!(
            wrapped(text, 9),
            "one two\nthree\n\n  four\n  five-and-six\n  seven\n   ▲ 8"
        );
        assert_eq!(wrapped(text, 80), text);
    }
}
