//! A person at the game: every line is a request, and gets its answer.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::advice;
use super::input::{Input, InputError};
use super::kept::{Keeper, usual_file};
use super::opponent::{Fault, Opponent};
use super::request::{HELP, Request};
use super::setup;
use super::story::Story;
use crate::draw::{AnyScene, PICTURE_FILE, Scene, Seat, Style, contact_sheet};
use crate::files::{Kind, Uses, write_whole};
use crate::printable::{printable, printable_lines};
use crate::protocol::exchange::write_board;
use crate::rules::{Cards, Turn};
use crate::search::Engine;
use crate::shell::{own_name, quoted};
use crate::verdict::{Typed, read_turn};

/// A file of boards, one on each line.
const BOARDS_FILE: Kind = Kind {
    name: "a file of the boards of one game",
    begins: |head| head.starts_with(b"{\"players\":"),
};

/// How a session goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// The person's seat; the opponent has the other one.
    pub seat: Seat,
    /// The cards of the first and the second player of a new game.
    pub cards: Cards,
    /// How boards are drawn.
    pub style: Style,
    /// Whether the person is asked for each line, as on a terminal.
    pub prompt: bool,
    /// How long the built-in player thinks about a hint.
    pub hint_time: Duration,
    /// Where the game is kept while it is played.
    pub keeper: Option<Keeper>,
    /// The options that resume the game as it is played here, such as ` --time 5`: each
    /// behind a space.
    pub resume_options: String,
    /// The width of the terminal in characters, if there is one.
    pub width: Option<usize>,
    /// The files that are in use, which no game is saved to.
    pub uses: Uses,
}

/// Why a session broke off.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error("the output: {0}")]
    Output(#[from] io::Error),
    #[error("{0}")]
    Opponent(String),
}

/// Whether the session goes on after a request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goes {
    On,
    Quit,
}

/// A person, an opponent, and where they talk.
pub struct Session<const N: usize, W> {
    pub(super) options: Options,
    pub(super) input: Input,
    pub(super) output: W,
    pub(super) opponent: Opponent<N>,
    /// Gives hints, and makes turns where there is no opponent.
    pub(super) helper: Option<Engine<N>>,
    /// The files that the game was saved to.
    saved: Vec<PathBuf>,
}

impl<const N: usize, W: Write> Session<N, W>
where
    AnyScene: From<Scene<N>>,
{
    /// A new session.
    pub fn new(options: Options, input: Input, output: W, opponent: Opponent<N>) -> Self {
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
    pub fn play_new(mut self) -> Result<(), Failure> {
        self.say("Type help to see what can be done.")?;
        let Some(position) = setup::place_all(&mut self)? else {
            return Ok(());
        };
        let scene = self.named(Scene::new(&position));
        let Some(mut story) = Story::new(vec![scene]) else {
            return Ok(());
        };
        self.show(&story)?;
        self.keep(&story)?;
        self.played_on(&mut story)
    }

    /// Goes on with the game of the boards, which was kept. Who plays now may be
    /// somebody else.
    ///
    /// # Errors
    /// If reading or writing fails.
    pub fn resume(mut self, scenes: Vec<Scene<N>>) -> Result<(), Failure> {
        let scenes = scenes.into_iter().map(|scene| self.named(scene)).collect();
        let Some(mut story) = Story::new(scenes) else {
            return Ok(());
        };
        self.say("Type help to see what can be done.")?;
        story.step(isize::MAX);
        self.show(&story)?;
        self.keep(&story)?;
        self.played_on(&mut story)
    }

    /// The board with the names of those who play.
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

    /// Plays on, and says at the end where the game is kept.
    fn played_on(&mut self, story: &mut Story<N>) -> Result<(), Failure> {
        let ended = self.let_opponent(story).and_then(|()| self.listen(story));
        let winner = story.game().last().and_then(Scene::winner);
        if let (Some(keeper), None) = (&self.options.keeper, winner) {
            let file = keeper.file.display().to_string();
            let named = match usual_file() {
                Some(usual) if usual == keeper.file => String::new(),
                _ => format!(" --keep {}", quoted(&file)),
            };
            let file = printable(&file);
            self.say(&format!(
                "the game is kept in {file}; {} play --resume{named}{} goes on with it",
                own_name(),
                printable(&self.options.resume_options)
            ))?;
        }
        ended
    }

    /// Keeps the game as it stands. If that is not possible, it is said once.
    pub(super) fn keep(&mut self, story: &Story<N>) -> Result<(), Failure> {
        let Some(keeper) = &self.options.keeper else {
            return Ok(());
        };
        if let Err(error) = keeper.keep(story) {
            let file = keeper.file.display().to_string();
            self.options.keeper = None;
            self.say(&format!(
                "the game is not kept: {}: {error}",
                printable(&file)
            ))?;
        }
        Ok(())
    }

    /// Steps through a game, and plays on from any board of it.
    ///
    /// # Errors
    /// If reading or writing fails.
    pub fn play_on(mut self, mut story: Story<N>) -> Result<(), Failure> {
        self.say("Type help to see what can be done; Enter goes one turn on.")?;
        self.show(&story)?;
        self.listen(&mut story)
    }

    fn listen(&mut self, story: &mut Story<N>) -> Result<(), Failure> {
        while let Some(line) = self.ask("")? {
            let goes = match Request::read(&line) {
                Ok(request) => self.answer(story, request)?,
                Err(why) => {
                    self.say(&printable(&why))?;
                    Goes::On
                }
            };
            if goes == Goes::Quit {
                break;
            }
        }
        Ok(())
    }

    /// The next line of the person; `None` if there are no more.
    pub(super) fn ask(&mut self, question: &str) -> Result<Option<String>, Failure> {
        let prompt = format!("{question}> ");
        if self.options.prompt && !self.input.shows_prompt() {
            write!(self.output, "{prompt}")?;
        }
        self.output.flush()?;
        let line = self.input.line(&prompt)?;
        if line.is_none() && self.options.prompt {
            writeln!(self.output)?;
        }
        Ok(line)
    }

    pub(super) fn say(&mut self, text: &str) -> Result<(), Failure> {
        writeln!(self.output, "{text}")?;
        self.output.flush()?;
        Ok(())
    }

    fn answer(&mut self, story: &mut Story<N>, request: Request) -> Result<Goes, Failure> {
        match request {
            Request::Step(turns) => {
                let moved = story.step(turns);
                self.show_if(story, moved, "there are no more boards in this direction")?;
                self.keep(story)?;
            }
            Request::GoTo(turn) => {
                let found = story.go_to(turn);
                self.show_if(story, found, &format!("there is no board with turn {turn}"))?;
                self.keep(story)?;
            }
            Request::Start => {
                story.step(isize::MIN);
                self.show(story)?;
            }
            Request::End => {
                story.step(isize::MAX);
                self.show(story)?;
                self.keep(story)?;
            }
            Request::Show => self.show(story)?,
            Request::List => self.list(story)?,
            Request::Json => self.say(&write_board(story.position()).to_string())?,
            Request::Turns => {
                let turns = story.position().turns();
                let over = story.scene().winner().is_some();
                self.say_turns(if over { &[] } else { &turns })?;
            }
            Request::Hint => self.hint(story)?,
            Request::Review => self.review(story)?,
            Request::Rules => self.say(&advice::rules())?,
            Request::Cards(name) => self.say(&advice::cards(story.scene(), name.as_deref()))?,
            Request::Level(level) => {
                self.set_level(&level)?;
                self.keep(story)?;
            }
            Request::Go(turns) => self.go(story, turns)?,
            Request::Undo => self.undo(story)?,
            Request::Save { file, force } => self.save(story, &file, force)?,
            Request::Help => self.say(HELP.trim_end())?,
            Request::Quit => return Ok(Goes::Quit),
            Request::Turn(text) => self.turn(story, &text)?,
        }
        Ok(Goes::On)
    }

    // ---- showing ----

    fn show(&mut self, story: &Story<N>) -> Result<(), Failure> {
        let place = match (story.so_far().len(), story.scenes().len()) {
            (now, all) if now < all => format!("board {now} of {all}\n"),
            _ => String::new(),
        };
        let text = story.scene().text(self.options.style).to_string();
        self.say(format!("\n{text}{place}").trim_end())
    }

    fn show_if(&mut self, story: &Story<N>, shown: bool, else_say: &str) -> Result<(), Failure> {
        if shown {
            self.show(story)
        } else {
            self.say(else_say)
        }
    }

    fn list(&mut self, story: &Story<N>) -> Result<(), Failure> {
        let now = story.so_far().len() - 1;
        for (index, scene) in story.scenes().iter().enumerate() {
            let mark = if index == now { '>' } else { ' ' };
            let number = scene.position().turn();
            let before = Seat::to_move(scene.position()).other();
            let figure = self.options.style.figure(before);
            let turn = match (scene.turn_text(), scene.note()) {
                (Some(turn), _) => format!("{figure} {turn}"),
                (None, Some(note)) => note.to_string(),
                (None, None) => "start".to_string(),
            };
            self.say(&format!("{mark} {number:>3}  {turn}"))?;
        }
        Ok(())
    }

    /// Says turns, those with the same moves on one line.
    fn say_turns(&mut self, turns: &[Turn]) -> Result<(), Failure> {
        self.say(&match turns.len() {
            0 => "there is no legal turn: the game is over".to_string(),
            1 => "1 legal turn:".to_string(),
            many => format!("{many} legal turns:"),
        })?;
        let mut moves: Vec<(String, String)> = Vec::new();
        for turn in turns {
            let text = turn.text::<N>().to_string();
            // The last move is a sign and a square; builds after it follow.
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

    fn save(&mut self, story: &Story<N>, file: &Path, force: bool) -> Result<(), Failure> {
        let scenes = story.game();
        let uses = self.options.uses.clone();
        let uses = if force { uses.forced() } else { uses };
        let (uses, content) = if file.extension().is_some_and(|extension| extension == "svg") {
            let scenes: Vec<AnyScene> = scenes.iter().cloned().map(AnyScene::from).collect();
            (
                uses.replaces(Some(file), PICTURE_FILE),
                contact_sheet(&scenes),
            )
        } else {
            let boards = scenes.iter().map(|scene| write_board(scene.position()));
            let lines = boards.map(|board| format!("{board}\n")).collect();
            // Other programs write such files too, so only what was saved before is
            // replaced.
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

    /// Plays the turn that the person typed, and lets the opponent answer it.
    fn turn(&mut self, story: &mut Story<N>, text: &str) -> Result<(), Failure> {
        if story.scene().winner().is_some() {
            return self.say("the game is over; go back to play on from an earlier board");
        }
        match read_turn(story.position(), text) {
            Typed::Turn(turn) => {
                self.play(story, turn)?;
                self.let_opponent(story)
            }
            Typed::Beginning(turns) => self.say_turns(&turns),
            Typed::Illegal(why) => self.say(&format!("not legal: {why}")),
            Typed::Nothing => self.say(&format!(
                "{text:?} is neither a turn nor a request; a turn looks like c3-c4+b4, and help \
                 tells the rest"
            )),
        }
    }

    fn play(&mut self, story: &mut Story<N>, turn: Turn) -> Result<(), Failure> {
        match story.play(turn) {
            0 => {}
            1 => self.say("(this replaces the turn that was played here)")?,
            dropped => self.say(&format!("(this replaces the {dropped} turns from here on)"))?,
        }
        self.keep(story)?;
        self.show(story)
    }

    /// Lets the opponent play if it is to move.
    fn let_opponent(&mut self, story: &mut Story<N>) -> Result<(), Failure> {
        let to_move = Seat::to_move(story.position());
        if self.opponent.plays() && to_move != self.options.seat && story.scene().winner().is_none()
        {
            self.go(story, 1)?;
        }
        Ok(())
    }

    /// Lets the opponent, or else the helper, make the next turns.
    fn go(&mut self, story: &mut Story<N>, turns: u32) -> Result<(), Failure> {
        for _ in 0..turns {
            if story.scene().winner().is_some() {
                return self.say("the game is over");
            }
            let position = *story.position();
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
                Ok(Some(turn)) => self.play(story, turn)?,
                Ok(None) => return self.say("no turn was found"),
                Err(fault) => {
                    let fault = self.fault(&fault);
                    return self.say(&format!("{fault}\n(go asks it again)"));
                }
            }
        }
        Ok(())
    }

    /// What the opponent did wrong, in words.
    pub(super) fn fault(&self, fault: &Fault) -> String {
        printable_lines(&fault.message(self.opponent.name())).into_owned()
    }

    /// Goes back to before the person's last turn.
    fn undo(&mut self, story: &mut Story<N>) -> Result<(), Failure> {
        let by_person = |scene: &Scene<N>| {
            let played = Seat::to_move(scene.position()).other();
            scene.last().is_some() && (!self.opponent.plays() || played == self.options.seat)
        };
        let so_far = story.so_far();
        let Some(last) = so_far.iter().rposition(by_person) else {
            return self.say("there is no turn of yours to take back");
        };
        story.take_back(so_far.len() - last);
        self.keep(story)?;
        self.show(story)
    }

    /// Ends the session if the person pressed Ctrl-C while a turn was sought.
    pub(super) fn check_stopped(&self) -> Result<(), Failure> {
        if self
            .input
            .stop_flag()
            .load(std::sync::atomic::Ordering::Relaxed)
        {
            return Err(InputError::Stopped.into());
        }
        Ok(())
    }
}
