//! One game between two connected bots: asks, reads, handles forfeits and reports.
//!
//! A game is one task that owns both connections while it lasts. It reads an answer,
//! plays it and sends the new state without yielding, and never waits for a bot to read.
//! So a bot can delay only its own game, and by no more than the answer time.

use std::fmt::Display;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

use super::connection::{Closed, Connection, LONGEST_LINE, Received, ReceivedLine};
use super::game::Game;
use super::latency::Latency;
use super::live::LiveGame;
use super::refusal::IllegalAnswer;
use super::schedule::Pairing;
use crate::protocol::tcp::{Answer, AnswerError, BotName, remark, try_again};
use crate::record::Ending;
use crate::stopwatch::Stopwatch;

/// The interval between checks of the answer time.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// The limits for answers.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    /// The time for a legal answer to a state, including illegal tries.
    pub answer_time: Duration,
    /// The number of illegal answers in a row that loses the game.
    pub tries: u32,
}

/// A bot in a game.
#[derive(Debug)]
pub(super) struct PlayingBot {
    pub connection: Connection,
    /// Set when the connection is lost, perhaps before the end of the game. From then on
    /// the bot may reconnect.
    pub gone: Arc<AtomicBool>,
    /// Whether it ran out of time in this game.
    pub timed_out: bool,
}

/// A game of the tournament, and what its record says about it.
#[derive(Debug)]
pub struct TournamentGame {
    pub pairing: Pairing,
    pub names: [BotName; 2],
    pub game: Game,
    /// The time in seconds of each legal answer, in order.
    pub seconds: Vec<f64>,
    /// The reason for a forfeit, in one line.
    pub why: Option<String>,
    /// How each player forfeited, if both did.
    pub endings: Option<[Ending; 2]>,
}

impl TournamentGame {
    /// Creates a game without answers.
    pub(super) const fn new(pairing: Pairing, names: [BotName; 2]) -> Self {
        Self {
            pairing,
            names,
            game: Game::new(),
            seconds: Vec::new(),
            why: None,
            endings: None,
        }
    }

    /// The line of the current state.
    pub(super) fn state_line(&self) -> String {
        self.game
            .state(self.names.each_ref().map(BotName::as_str))
            .line()
    }
}

/// What a game needs besides its players.
#[derive(Clone)]
pub(super) struct GameContext {
    pub terms: Terms,
    pub latency: Arc<Latency>,
    /// Becomes true when the tournament is called off.
    pub stop: watch::Receiver<bool>,
}

/// Plays a game to its end. Returns it with its players.
pub(super) async fn play(
    new: TournamentGame,
    players: [PlayingBot; 2],
    mut context: GameContext,
    live: Option<Arc<LiveGame>>,
) -> (TournamentGame, [PlayingBot; 2]) {
    let mut play = Play {
        played: new,
        players,
        terms: context.terms,
        live,
        illegal: [0; 2],
        given_up: None,
        thinking: Stopwatch::start(CHECK_INTERVAL),
    };
    play.send_state();
    let mut called_off = pin!(context.stop.wait_for(|&stop| stop));
    while play.played.game.outcome().is_none() {
        let left = play.time_left();
        if left.is_zero() {
            play.time_out();
            continue;
        }
        let listens = [0, 1].map(|player| !play.has_given_up(player));
        let [first, second] = &mut play.players;
        tokio::select! {
            received = first.connection.receive(), if listens[0] => {
                play.receive(0, received, &context.latency);
            }
            received = second.connection.receive(), if listens[1] => {
                play.receive(1, received, &context.latency);
            }
            () = sleep(left.min(CHECK_INTERVAL)) => {}
            _ = &mut called_off => play.call_off(),
        }
    }
    (play.played, play.players)
}

/// A forfeit by one player.
struct Forfeit {
    player: usize,
    ending: Ending,
    why: String,
}

/// A game being played.
struct Play {
    played: TournamentGame,
    players: [PlayingBot; 2],
    terms: Terms,
    live: Option<Arc<LiveGame>>,
    /// Illegal answers in a row.
    illegal: [u32; 2],
    /// A forfeit by one player while the other one is thinking.
    given_up: Option<Forfeit>,
    /// Started when the current question was first asked.
    thinking: Stopwatch,
}

impl Play {
    /// The time left for the current answer.
    fn time_left(&mut self) -> Duration {
        let thought = self.thinking.elapsed();
        self.terms.answer_time.saturating_sub(thought)
    }

    fn send_state(&mut self) {
        let line = self.played.state_line();
        for player in &mut self.players {
            player.connection.send(&line);
        }
        if let Some(live) = &self.live {
            live.states.send_modify(|states| states.push(line.into()));
        }
    }

    /// Handles what a player's connection received: a line, or its end.
    fn receive(&mut self, player: usize, received: Result<Received, Closed>, latency: &Latency) {
        match received {
            Ok(Received { line, arrived }) => {
                self.receive_line(player, line);
                latency.add(arrived.elapsed());
            }
            Err(closed) => self.lose_connection(player, closed),
        }
    }

    fn receive_line(&mut self, player: usize, line: ReceivedLine) {
        if let Some(forfeit) = self.given_up.take() {
            return self.end_by(forfeit);
        }
        let game = &mut self.played.game;
        let status = game.status();
        let answer = match line {
            // Out of turn the content of the line does not matter.
            _ if game.to_answer() != Some(player) => {
                return self.refuse(player, &IllegalAnswer::NotYourTurn);
            }
            ReceivedLine::TooLong => Err(AnswerError::too_long(status, LONGEST_LINE)),
            ReceivedLine::Text(text) => Answer::parse(status, &text),
        };
        match answer.map(|answer| game.answer(player, answer)) {
            Err(unreadable) => self.refuse(player, &unreadable),
            Ok(Err(illegal)) => self.refuse(player, &illegal),
            Ok(Ok(())) => {
                self.illegal[player] = 0;
                let seconds = self.thinking.elapsed().as_secs_f64();
                self.played.seconds.push(seconds);
                self.thinking = Stopwatch::start(CHECK_INTERVAL);
                self.send_state();
            }
        }
    }

    /// Refuses an illegal answer: sends the reason and asks again, until its tries
    /// are used up.
    fn refuse(&mut self, player: usize, why: &dyn Display) {
        self.illegal[player] += 1;
        if self.illegal[player] >= self.terms.tries {
            let why = match self.terms.tries {
                1 => format!("an illegal answer: {why}"),
                count => format!("{count} illegal answers in a row, the last one: {why}"),
            };
            return self.forfeit(player, Ending::IllegalAnswers, &why);
        }
        let text = try_again(why) + &self.played.state_line();
        self.players[player].connection.send(&text);
    }

    fn time_out(&mut self) {
        if let Some(player) = self.played.game.to_answer() {
            self.players[player].timed_out = true;
            let hint = self.time_out_hint(player);
            let why = format!("no legal answer within {:?}{hint}", self.terms.answer_time);
            self.forfeit(player, Ending::TimeOut, &why);
        }
    }

    /// What the author of a bot that ran out of time may have overlooked.
    fn time_out_hint(&self, player: usize) -> &'static str {
        // Both players place their workers in turn, so the answers begin with one of each.
        let has_answered = self.played.game.answers().len() > player;
        if self.players[player].connection.has_unfinished_line() {
            "; its last line has no \\n at its end"
        } else if !has_answered && self.illegal[player] == 0 {
            "; nothing arrived in this game: unless it is only too slow, a bot must flush its \
             output after each answer, and not wait for more input than the state"
        } else {
            ""
        }
    }

    fn lose_connection(&mut self, player: usize, closed: Closed) {
        self.players[player].gone.store(true, Ordering::Relaxed);
        let ending = match closed {
            Closed::NotReading => Ending::NotReading,
            Closed::Ended | Closed::Flooding => Ending::Disconnected,
        };
        self.forfeit(player, ending, &closed);
    }

    fn has_given_up(&self, player: usize) -> bool {
        let forfeit = self.given_up.as_ref();
        forfeit.is_some_and(|forfeit| forfeit.player == player)
    }

    /// Forfeits the game for a player. If the other one is thinking, the game goes on
    /// until its answer has come: otherwise that answer would arrive during the bot's
    /// next game and be taken for one there.
    fn forfeit(&mut self, player: usize, ending: Ending, why: &dyn Display) {
        let why = format!("{} forfeits: {why}", self.played.names[player]);
        let forfeit = Forfeit {
            player,
            ending,
            why,
        };
        if let Some(first) = self.given_up.take() {
            self.end_by_both(first, forfeit);
        } else if self.played.game.to_answer() == Some(player) {
            self.end_by(forfeit);
        } else {
            self.given_up = Some(forfeit);
        }
    }

    fn end_by(&mut self, forfeit: Forfeit) {
        let winner = 1 - forfeit.player;
        let connection = &mut self.players[winner].connection;
        if forfeit.ending == Ending::Disconnected && connection.drop_unasked().is_err() {
            // Both left at the same time.
            let also = Forfeit {
                player: winner,
                ending: Ending::Disconnected,
                why: "so does the opponent".to_string(),
            };
            return self.end_by_both(forfeit, also);
        }
        self.played.game.end(Some(winner), forfeit.ending);
        self.send_end(forfeit.why);
    }

    /// If both players forfeit, neither wins.
    fn end_by_both(&mut self, first: Forfeit, second: Forfeit) {
        let mut endings = [second.ending; 2];
        endings[first.player] = first.ending;
        self.played.endings = Some(endings);
        self.played.game.end(None, second.ending);
        self.send_end(format!("{}; {}", first.why, second.why));
    }

    fn send_end(&mut self, why: String) {
        let line = remark(&why);
        for player in &mut self.players {
            player.connection.send(&line);
        }
        self.played.why = Some(why);
        self.send_state();
    }

    fn call_off(&mut self) {
        self.played.game.end(None, Ending::Interrupted);
        self.send_state();
    }
}
