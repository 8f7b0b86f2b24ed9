//! An interactive session: reads requests and answers each one.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::advice::{self, wrapped};
use super::autosave::Autosave;
use super::cursor::GameCursor;
use super::input::{Input, InputError};
use super::opponent::Opponent;
use super::request::{HELP, Request};
use crate::draw::{PICTURE_FILE, PictureOptions, Scene, Seat, Style, contact_sheet};
use crate::files::{Kind, Uses, write_whole};
use crate::printable::printable_lines;
use crate::protocol::exchange::write_board;
use crate::rules::{Cards, Turn};
use crate::search::Engine;
use crate::verdict::{Typed, read_turn};

/// A file of boards, one on each line.
const BOARDS_FILE: Kind = Kind {
    name: "a file of the boards of one game",
    begins: |head| head.starts_with(b"{\"players\":"),
};

/// The options of a session.
#[derive(Clone, Debug)]
pub(crate) struct SessionOptions {
    /// The person's seat; the opponent has the other.
    pub seat: Seat,
    /// The cards of the first and the second player of a new game.
    pub cards: Cards,
    /// The style of drawn boards.
    pub style: Style,
    /// Whether to show a prompt, as on a terminal.
    pub prompt: bool,
    /// The time to search for a hint.
    pub hint_time: Duration,
    /// Saves the game after every turn.
    pub autosave: Option<Autosave>,
    /// The options that a command needs to resume this game, each after a space, such as
    /// ` --time 5`.
    pub resume_options: String,
    /// The width of the terminal in characters, if there is one.
    pub width: Option<usize>,
    /// The files in use, which `save` must not replace.
    pub uses: Uses,
}

/// Why a session failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SessionError {
    /// The next line cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The terminal or pipe cannot be written to.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
    /// The opponent program failed; the text says how.
    #[error("{0}")]
    Opponent(String),
}

/// A person and an opponent, with input and output.
pub(crate) struct Session<const N: usize> {
    pub(super) options: SessionOptions,
    pub(super) input: Input,
    output: Box<dyn Write>,
    pub(super) opponent: Opponent<N>,
    /// Gives hints, and makes turns if there is no opponent.
    pub(super) helper: Option<Engine<N>>,
    /// The files that `save` wrote.
    saved: Vec<PathBuf>,
}

impl<const N: usize> Session<N> {
    /// Creates a session.
    pub(crate) fn new(
        options: SessionOptions,
        input: Input,
        output: Box<dyn Write>,
        opponent: Opponent<N>,
    ) -> Self {
        Self {
            options,
            input,
            output,
            opponent,
            helper: None,
            saved: Vec::new(),
        }
    }

    /// Sets up a new game and plays it until the person leaves.
    ///
    /// # Errors
    /// If reading or writing fails, or the opponent does not place its
    /// workers.
    pub(crate) fn play_new(mut self) -> Result<(), SessionError> {
        self.say("Type help to see all requests.")?;
        let Some(position) = self.place_all()? else {
            return Ok(());
        };
        let scene = self.named(Scene::new(&position));
        let Some(mut cursor) = GameCursor::new(vec![scene]) else {
            return Ok(());
        };
        self.show(&cursor)?;
        self.set_aside()?;
        self.autosave(&cursor)?;
        self.played_on(&mut cursor)
    }

    /// Resumes a saved game. The opponent may be another one than before.
    ///
    /// # Errors
    /// If reading or writing fails.
    pub(crate) fn resume(mut self, scenes: Vec<Scene<N>>) -> Result<(), SessionError> {
        let scenes = scenes.into_iter().map(|scene| self.named(scene)).collect();
        let Some(mut cursor) = GameCursor::new(scenes) else {
            return Ok(());
        };
        self.say("Type help to see all requests.")?;
        cursor.step(isize::MAX);
        self.show(&cursor)?;
        self.autosave(&cursor)?;
        self.played_on(&mut cursor)
    }

    /// Adds the names of the players to a board.
    fn named(&self, scene: Scene<N>) -> Scene<N> {
        if !self.opponent.plays() {
            return scene.unnamed();
        }
        let [own, other] = ["you", self.opponent.name()];
        scene.named(match self.options.seat {
            Seat::First => [own, other],
            Seat::Second => [other, own],
        })
    }

    /// Continues the game. At the end, says where it is saved.
    fn played_on(&mut self, cursor: &mut GameCursor<N>) -> Result<(), SessionError> {
        let ended = self.let_opponent(cursor).and_then(|()| self.listen(cursor));
        if cursor.game().last().and_then(Scene::winner).is_some() {
            return ended;
        }
        self.say_where_it_is_saved()?;
        ended
    }

    /// Steps through a game, and continues it from any board.
    ///
    /// # Errors
    /// If reading or writing fails.
    pub(crate) fn play_on(mut self, mut cursor: GameCursor<N>) -> Result<(), SessionError> {
        self.say("Type help to see all requests; Enter goes one turn forward.")?;
        self.show(&cursor)?;
        self.listen(&mut cursor)
    }

    fn listen(&mut self, cursor: &mut GameCursor<N>) -> Result<(), SessionError> {
        while let Some(line) = self.ask("")? {
            match Request::read(&line) {
                Ok(Request::Quit) => break,
                Ok(request) => self.answer(cursor, request)?,
                Err(why) => self.say(&why)?,
            }
        }
        Ok(())
    }

    /// Asks for the next line; `None` at the end of the input.
    pub(super) fn ask(&mut self, question: &str) -> Result<Option<String>, SessionError> {
        let prompt = format!("{question}> ");
        if self.options.prompt && !self.input.shows_prompt() {
            write!(self.output, "{prompt}")?;
        }
        self.output.flush()?;
        let line = self.input.line(&prompt);
        // A signal, too, leaves the cursor behind the prompt.
        let unended = matches!(line, Ok(None)) || self.check_stopped().is_err();
        if unended && self.options.prompt {
            writeln!(self.output)?;
        }
        Ok(line?)
    }

    /// Writes a message, made printable and wrapped to the terminal.
    pub(super) fn say(&mut self, text: &str) -> Result<(), SessionError> {
        let text = printable_lines(text);
        match self.options.width {
            Some(width) => self.put(&wrapped(&text, width)),
            None => self.put(&text),
        }
    }

    /// Writes text that keeps its lines.
    pub(super) fn put(&mut self, text: &str) -> Result<(), SessionError> {
        writeln!(self.output, "{text}")?;
        self.output.flush()?;
        Ok(())
    }

    fn answer(&mut self, cursor: &mut GameCursor<N>, request: Request) -> Result<(), SessionError> {
        match request {
            Request::Step(turns) => {
                let found = cursor.step(turns);
                self.stepped(cursor, found, "there are no more boards this way")
            }
            Request::GoTo(turn) => {
                let found = cursor.go_to(turn);
                self.stepped(
                    cursor,
                    found,
                    &format!("no board has the turn number {turn}"),
                )
            }
            Request::Start => {
                cursor.step(isize::MIN);
                self.show(cursor)
            }
            Request::End => {
                cursor.step(isize::MAX);
                self.show(cursor)?;
                self.autosave(cursor)
            }
            Request::Show => self.show(cursor),
            Request::List => self.list(cursor),
            Request::Json => self.put(&write_board(cursor.position()).to_string()),
            Request::Turns => {
                let turns = cursor.position().turns();
                let over = cursor.scene().winner().is_some();
                self.say_turns(if over { &[] } else { &turns })
            }
            Request::Hint => self.hint(cursor),
            Request::Review => self.review(cursor),
            Request::Rules => self.explain(&advice::rules()),
            Request::Cards(name) => self.explain(&advice::cards(cursor.scene(), name.as_deref())),
            Request::Level(level) => {
                self.set_level(cursor, &level)?;
                self.autosave(cursor)
            }
            Request::Go(turns) => self.go(cursor, turns),
            Request::Undo => self.undo(cursor),
            Request::Save { file, force } => self.save(cursor, &file, force),
            Request::Help => self.put(HELP.trim_end()),
            Request::Turn(text) => self.turn(cursor, &text),
            // `listen` ends the session.
            Request::Quit => Ok(()),
        }
    }

    // ---- showing ----

    /// Shows and saves the board after a step, or says why there is none.
    fn stepped(
        &mut self,
        cursor: &mut GameCursor<N>,
        found: bool,
        why: &str,
    ) -> Result<(), SessionError> {
        match found {
            true => self.show(cursor)?,
            false => self.say(why)?,
        }
        self.autosave(cursor)
    }

    fn show(&mut self, cursor: &GameCursor<N>) -> Result<(), SessionError> {
        let place = match (cursor.so_far().len(), cursor.scenes().len()) {
            (now, all) if now < all => format!("board {now} of {all}\n"),
            _ => String::new(),
        };
        let text = cursor.scene().text(self.options.style).to_string();
        self.put(format!("\n{text}{place}").trim_end())
    }

    fn list(&mut self, cursor: &GameCursor<N>) -> Result<(), SessionError> {
        let now = cursor.so_far().len() - 1;
        for (index, scene) in cursor.scenes().iter().enumerate() {
            let mark = if index == now { '>' } else { ' ' };
            let number = scene.position().turn();
            let before = Seat::to_move(scene.position()).other();
            let figure = self.options.style.figure(before);
            let turn = match (scene.turn_text(), scene.note()) {
                (Some(turn), _) => format!("{figure} {turn}"),
                (None, Some(note)) => note.to_string(),
                (None, None) => "start".to_string(),
            };
            self.put(&format!("{mark} {number:>3}  {turn}"))?;
        }
        Ok(())
    }

    /// Lists turns, those with the same moves on one line.
    fn say_turns(&mut self, turns: &[Turn]) -> Result<(), SessionError> {
        self.say(&match turns.len() {
            0 => "no legal turns: the game is over".to_string(),
            1 => "1 legal turn:".to_string(),
            many => format!("{many} legal turns:"),
        })?;
        let mut moves: Vec<(String, String)> = Vec::new();
        for turn in turns {
            let text = turn.text::<N>().to_string();
            // The last move is a sign and a square; the builds after it follow.
            let moved = text.rfind(['-', 'x']).map_or(text.len(), |sign| sign + 3);
            let (moved, built) = text.split_at(moved);
            match moves.iter_mut().find(|(name, _)| name == moved) {
                Some((_, builds)) => *builds += &format!(" {built}"),
                None => moves.push((moved.to_string(), built.to_string())),
            }
        }
        moves
            .iter()
            .try_for_each(|(moved, built)| self.say(&format!("  {moved} {built}")))
    }

    fn save(
        &mut self,
        cursor: &GameCursor<N>,
        file: &Path,
        force: bool,
    ) -> Result<(), SessionError> {
        let scenes = cursor.game();
        let uses = self.options.uses.clone();
        let uses = if force { uses.forced() } else { uses };
        let (uses, content) = if file.extension().is_some_and(|extension| extension == "svg") {
            (
                uses.replaces(Some(file), PICTURE_FILE),
                contact_sheet(scenes, PictureOptions::default()),
            )
        } else {
            let boards = scenes.iter().map(|scene| write_board(scene.position()));
            let lines = boards.map(|board| format!("{board}\n")).collect();
            // Other programs write such files too, so replace only files saved before.
            let uses = match self.saved.iter().any(|saved| saved == file) {
                true => uses.replaces(Some(file), BOARDS_FILE),
                false => uses.creates(Some(file)),
            };
            (uses, lines)
        };
        if let Err(refusal) = uses.check() {
            return self.say(&refusal.to_string());
        }
        match write_whole(file, content.as_bytes()) {
            Ok(()) => {
                self.saved.push(file.to_path_buf());
                let boards = if scenes.len() == 1 { "board" } else { "boards" };
                let (count, file) = (scenes.len(), file.display());
                self.say(&format!("wrote {count} {boards} to {file}"))
            }
            Err(error) => self.say(&format!("{}: {error}", file.display())),
        }
    }

    // ---- playing ----

    /// Plays the typed turn, and lets the opponent answer it.
    fn turn(&mut self, cursor: &mut GameCursor<N>, text: &str) -> Result<(), SessionError> {
        if cursor.scene().winner().is_some() {
            return self.say("the game is over; to continue, go back to an earlier board");
        }
        match read_turn(cursor.position(), text) {
            Typed::Turn(turn) => {
                self.play(cursor, turn)?;
                self.let_opponent(cursor)
            }
            Typed::Beginning(turns) => self.say_turns(&turns),
            Typed::Illegal(why) => self.say(&format!("not legal: {why}")),
            Typed::Nothing => self.say(&format!(
                "{text:?} is neither a turn nor a request; a turn looks like c3-c4+b4, and help \
                 lists the requests"
            )),
        }
    }

    fn play(&mut self, cursor: &mut GameCursor<N>, turn: Turn) -> Result<(), SessionError> {
        match cursor.play(turn) {
            0 => {}
            1 => self.say("(this replaces the turn that was played here)")?,
            dropped => self.say(&format!("(this replaces the {dropped} turns from here on)"))?,
        }
        self.autosave(cursor)?;
        self.show(cursor)
    }

    /// Lets the opponent move if it is its turn.
    fn let_opponent(&mut self, cursor: &mut GameCursor<N>) -> Result<(), SessionError> {
        let to_move = Seat::to_move(cursor.position());
        if self.opponent.plays()
            && to_move != self.options.seat
            && cursor.scene().winner().is_none()
        {
            self.go(cursor, 1)?;
        }
        Ok(())
    }

    /// Plays the next `turns` turns with the opponent, or with the hint engine if there is none.
    fn go(&mut self, cursor: &mut GameCursor<N>, turns: u32) -> Result<(), SessionError> {
        for _ in 0..turns {
            if cursor.scene().winner().is_some() {
                return self.say("the game is over");
            }
            let position = *cursor.position();
            if self.options.prompt {
                write!(self.output, "thinking... ")?;
                self.output.flush()?;
            }
            let found = if self.opponent.plays() {
                let turn = self.opponent.turn(&position, self.input.stop_flag());
                self.check_stopped()?;
                turn
            } else {
                Ok(self.advise(&position)?.turn())
            };
            match found {
                Ok(Some(turn)) => self.play(cursor, turn)?,
                Ok(None) => return self.say("no turn found"),
                Err(fault) => return self.say(&format!("{fault}\n(type go to ask it again)")),
            }
        }
        Ok(())
    }

    /// Takes back the person's last turn.
    fn undo(&mut self, cursor: &mut GameCursor<N>) -> Result<(), SessionError> {
        let by_person = |scene: &Scene<N>| {
            let played = Seat::to_move(scene.position()).other();
            scene.last().is_some() && (!self.opponent.plays() || played == self.options.seat)
        };
        let so_far = cursor.so_far();
        let Some(last) = so_far.iter().rposition(by_person) else {
            return self.say("you have no turn to take back");
        };
        cursor.take_back(so_far.len() - last);
        self.autosave(cursor)?;
        self.show(cursor)
    }

    /// Fails if Ctrl-C was pressed during a search.
    pub(super) fn check_stopped(&self) -> Result<(), SessionError> {
        match self.input.stop_flag().load(Ordering::Relaxed) {
            true => Err(InputError::Stopped.into()),
            false => Ok(()),
        }
    }
}
