//! Answers questions of pages.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Value, json};

use super::engine_pool::EnginePool;
use super::message::{PageMessage, Question};
use super::view::{look, parse_position, scene_after};
use super::{analysis, compare, game_tree, opponents, placements, review};
use crate::at_size;
use crate::draw::PictureOptions;
use crate::eval::EvalKind;
use crate::levels::MEASURED_WITH;
use crate::printable::excerpt;
use crate::protocol::written::read_written_board;
use crate::puzzles::{Puzzle, built_in, built_in_six};
use crate::rules::{
    AnyPosition, Card, Cards, LONGEST_TURN, Placement, Position, PositionError, Turn, words,
};
use crate::search::EngineOptions;
use crate::verdict::{Typed, read_turn};

/// Player programs that pages may play against. Only the command line names them: a page
/// cannot start a program.
pub trait Programs: Send + Sync {
    /// The names of the programs.
    fn names(&self) -> Vec<String>;

    /// The turn of the program with this index in [`Programs::names`].
    ///
    /// # Errors
    /// What it did wrong, in words.
    fn turn(
        &self,
        program: usize,
        position: &Position<5>,
        stop: &AtomicBool,
    ) -> Result<Turn, String>;

    /// The program's placement. The cards are its own and the other player's. As the
    /// second player it gets `first`, the first player's workers.
    ///
    /// # Errors
    /// What it did wrong, in words.
    fn place(
        &self,
        program: usize,
        cards: Cards,
        first: Option<Placement>,
        stop: &AtomicBool,
    ) -> Result<Placement, String>;
}

/// How a page starts the first time, instead of with the game saved in its browser.
#[derive(Clone, Debug, serde::Serialize)]
pub struct PageStart {
    /// Tells a page whether it has already started like this.
    pub id: u64,
    /// The opponent: `person`, `level 3`, or `program 0`.
    pub opponent: String,
    /// The name of the file whose games are served at `/games`.
    pub file: Option<String>,
}

/// The options for answering questions.
#[derive(Clone, Copy, Debug)]
pub struct BackendOptions {
    /// The time for a turn of the strongest level.
    pub time: Duration,
    /// The options of the engines that search.
    pub engine: EngineOptions,
}

/// Answers questions from any number of pages at the same time.
pub struct PageBackend {
    pub(super) options: BackendOptions,
    pub(super) engines: EnginePool,
    pub(super) programs: Option<Box<dyn Programs>>,
    start: Option<PageStart>,
}

impl PageBackend {
    /// Creates a backend, with the programs to play against.
    pub fn new(options: BackendOptions, programs: Option<Box<dyn Programs>>) -> Self {
        Self {
            options,
            engines: EnginePool::new(options.engine),
            programs,
            start: None,
        }
    }

    /// Sets how pages start.
    #[must_use]
    pub fn beginning(self, start: Option<PageStart>) -> Self {
        Self { start, ..self }
    }

    /// Answers a question; partial answers go to `send`. Returns soon after `stop` is set.
    pub fn answer(
        &self,
        message: &PageMessage,
        stop: &AtomicBool,
        send: &mut dyn FnMut(Value),
    ) -> Value {
        let mut part = |value: Value| send(message.part(&value));
        let result = self.result(&message.question, stop, &mut part);
        message.answer(result)
    }

    fn result(
        &self,
        question: &Question,
        stop: &AtomicBool,
        part: &mut dyn FnMut(Value),
    ) -> Result<Value, String> {
        match question {
            Question::Hello {} => Ok(self.hello()),
            Question::Look { position, turn } => look(&parse_position(position)?, turn.as_deref()),
            Question::Read { text } => look(&read_pasted(text)?, None),
            Question::Explain { position, turn } => {
                let position = parse_position(position)?;
                Ok(at_size!(&position, position => explain(position, turn)))
            }
            Question::Play {
                position,
                who,
                seed,
            } => opponents::turn(self, &parse_position(position)?, *who, *seed, stop),
            Question::Place(task) => opponents::place(self, task, stop),
            Question::Analyze {
                position,
                lines,
                seconds,
                depth,
            } => {
                let position = parse_position(position)?;
                let wanted = analysis::AnalysisLimits::new(*lines, *seconds, *depth)?;
                analysis::analyze(self, &position, &wanted, stop, part)
            }
            Question::Compare {
                position,
                seconds,
                depth,
            } => {
                let position = parse_position(position)?;
                let wanted = analysis::AnalysisLimits::new(1, *seconds, *depth)?;
                compare::compare(self, &position, &wanted, stop, part)
            }
            Question::Placements { cards, first } => placements::placements(*cards, first.as_ref()),
            Question::Review {
                position,
                turns,
                players,
            } => {
                let start = parse_position(position)?;
                review::review(self, &start, turns, players.as_ref(), stop, part)
            }
            Question::Puzzles {} => Ok(puzzles()),
            Question::Game { value } => game_tree::open(value),
            Question::Record {
                position,
                tree,
                players,
            } => game_tree::record(&parse_position(position)?, tree, players),
            Question::Svg {
                position,
                turn,
                players,
            } => {
                let position = parse_position(position)?;
                at_size!(&position, position => {
                    let mut scene = scene_after(position, turn.as_deref())?;
                    if let Some(names) = players {
                        scene = scene.named(names.clone());
                    }
                    Ok(json!({ "svg": scene.svg(PictureOptions::default()) }))
                })
            }
            // The caller has stopped the search already.
            Question::Stop { .. } => Ok(Value::Null),
        }
    }

    /// What the program offers.
    fn hello(&self) -> Value {
        let programs = self.programs.as_ref().map(|programs| programs.names());
        let eval = self.options.engine.eval;
        json!({
            "version": env!("CARGO_PKG_VERSION"),
            "levels": opponents::levels(),
            "measured": MEASURED_WITH,
            "cards": words::cards(),
            "cardsNetwork": matches!(eval, EvalKind::Network(networks) if networks.have_cards()),
            "rules": words::RULES,
            "sizes": [5, 6],
            "programs": programs.unwrap_or_default(),
            "start": self.start,
            "most": {
                "lines": analysis::MOST_LINES,
                "seconds": analysis::MOST_SECONDS,
                "message": super::LONGEST_MESSAGE,
            },
        })
    }
}

/// The built-in puzzles, for each board size the easiest first.
fn puzzles() -> Value {
    let puzzles = built_in().iter().map(puzzle);
    let mut puzzles: Vec<Value> = puzzles.chain(built_in_six().iter().map(puzzle)).collect();
    for (index, puzzle) in puzzles.iter_mut().enumerate() {
        puzzle["id"] = json!(index + 1);
    }
    json!({ "puzzles": puzzles })
}

fn puzzle<const N: usize>(puzzle: &Puzzle<N>) -> Value {
    json!({
        "size": N,
        "position": puzzle.position.to_string(),
        "solution": puzzle.solution.text::<N>().to_string(),
        "turns": puzzle.grade(),
    })
}

/// Reads a pasted position, also with comments around it as in a book.
///
/// # Errors
/// What is wrong with it, or what the page can open if it is no position at all.
fn read_pasted(text: &str) -> Result<AnyPosition, String> {
    let text = text.trim();
    let found = read_written_board(text);
    if found.is_ok() || text.starts_with(['{', '[']) {
        return found;
    }
    let lines = text.lines().map(str::trim);
    let lines: Vec<&str> = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    match (lines.first().map(|line| line.parse()), lines.len()) {
        (Some(Ok(position)), 1) => Ok(position),
        (Some(Ok(_)), _) => Err("this holds more than one position; paste one line of it".into()),
        _ if text.starts_with(|first: char| first.is_ascii_digit()) => found,
        _ => Err(
            "this is neither a game nor a position; a position looks like \
             00000/00010/00000/00000/00000 b3d3 c2c4 1, and a file of games has a game on \
             each line"
                .into(),
        ),
    }
}

/// Explains a typed turn: legal, the start of legal turns, or why it is illegal.
fn explain<const N: usize>(position: &Position<N>, text: &str) -> Value {
    match read_turn(position, text) {
        Typed::Turn(turn) => json!({ "turn": turn.text::<N>().to_string() }),
        Typed::Beginning(turns) => {
            let turns = turns.iter().map(|turn| turn.text::<N>().to_string());
            json!({ "begins": turns.collect::<Vec<_>>() })
        }
        Typed::Illegal(why) => json!({ "illegal": why }),
        Typed::Nothing => json!({
            "illegal": format!(
                "{:?} is not a turn; a turn looks like c3-c4+b4, or c3-c4# if it wins",
                excerpt(text, LONGEST_TURN)
            )
        }),
    }
}

/// The cards of the first and the second player, as positions have them.
///
/// # Errors
/// If both are the same.
pub(super) fn cards_or_none(cards: Option<[Card; 2]>) -> Result<Cards, String> {
    match cards {
        Some([a, b]) if a == b => Err(PositionError::SameCard(a).to_string()),
        Some(cards) => Ok(cards.map(Some)),
        None => Ok([None, None]),
    }
}

/// Checks the number of rows of a board.
///
/// # Errors
/// If it is neither 5 nor 6.
pub(super) fn check_size(size: usize) -> Result<(), String> {
    match size {
        5 | 6 => Ok(()),
        _ => Err(format!(
            "a board cannot have {size} rows; the sizes are 5 and 6"
        )),
    }
}

#[cfg(test)]
impl PageBackend {
    /// A backend with small tables and little time.
    pub(super) fn for_tests() -> Self {
        let options = BackendOptions {
            time: Duration::from_millis(50),
            engine: EngineOptions {
                hash_mib: 4,
                ..EngineOptions::default()
            },
        };
        Self::new(options, None)
    }
}
