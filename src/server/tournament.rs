//! The tournament: takes entries, begins games, counts points, ends.
//!
//! One task holds all seats. It only reacts, to entries, to games that ended
//! and to the clock, and never waits for a bot; games are tasks of their own.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use super::connection::Connection;
use super::game::{Ending, Outcome};
use super::latency::Latency;
use super::live::{Gallery, LiveGame, PastGame, Phase};
use super::play::{Hall, Played, Player, Terms, play};
use super::protocol::{Name, remark};
use super::results::{Field, Results, ResultsError, Resumed};
use super::schedule::{Agenda, Pairing, round_robin};
use super::standings::{Score, Standings};

/// The most bots in a tournament.
pub const MOST_BOTS: usize = 500;

/// The most times that everybody meets everybody.
pub const MOST_ROUNDS: usize = 100;

/// A bot that ran out of time in so many games in a row is shown out, so that
/// one that hangs does not cost every opponent the answer time. It may return.
const SILENT_GAMES: u32 = 3;

/// How often idle connections are looked after.
const TICK: Duration = Duration::from_secs(1);

/// How a tournament is played.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Begin when so many bots are there.
    pub bots: Option<usize>,
    /// Begin after this time, if two bots are there.
    pub wait: Option<Duration>,
    /// How many times everybody meets everybody.
    pub rounds: usize,
    pub terms: Terms,
    /// How long games are kept for bots that are away, when nothing else is
    /// left to play.
    pub return_time: Duration,
    /// Whether spectators can follow games state by state.
    pub watched: bool,
}

/// A bot that asks to be let in under a name.
pub struct Claim {
    pub name: Name,
    pub connection: Connection,
    /// Told whether it was; if not, the connection is given back.
    pub reply: oneshot::Sender<Result<(), (ClaimError, Connection)>>,
}

/// Why a bot is not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    #[error("the name is taken by a bot that is connected")]
    Taken,
    #[error("the name belongs to a bot that entered from another address")]
    OtherAddress,
    #[error("the tournament has begun, and no bot of that name takes part")]
    Begun,
    #[error("the tournament is full: {MOST_BOTS} bots take part")]
    Full,
}

/// A bot's place in the tournament.
struct Seat {
    name: Name,
    /// Where the bot entered from; only from there it may come back.
    address: Option<IpAddr>,
    /// There while the bot is connected and not playing.
    connection: Option<Connection>,
    playing: bool,
    score: Score,
    silent_games: u32,
}

impl Seat {
    const fn new(name: Name) -> Self {
        Self {
            name,
            address: None,
            connection: None,
            playing: false,
            score: Score {
                wins: 0,
                draws: 0,
                losses: 0,
                forfeits: 0,
            },
            silent_games: 0,
        }
    }

    /// Lets go of a connection that is of no more use; whether one stands.
    fn is_there(&mut self) -> bool {
        if let Some(connection) = &mut self.connection
            && connection.drop_unasked().is_err()
        {
            self.connection = None;
        }
        self.connection.is_some()
    }
}

/// How a tournament ended.
#[derive(Debug)]
pub struct Report {
    pub standings: Standings,
    /// Games with a result, and all games.
    pub games: [usize; 2],
    /// Whether it was called off.
    pub interrupted: bool,
}

/// A tournament from the entries to the final table.
pub struct Tournament {
    settings: Settings,
    seats: Vec<Seat>,
    agenda: Agenda,
    results: Results,
    gallery: Arc<Gallery>,
    hall: Hall,
    running: JoinSet<(Played, [Player; 2])>,
    begun: bool,
    /// Since when games are left of which none can begin.
    stalled: Option<Instant>,
    notice: Box<dyn Fn(&str) + Send>,
}

impl Tournament {
    /// A tournament that nobody has entered. `stop` calls it off; `notice`
    /// is told in words who comes and goes.
    pub fn new(
        settings: Settings,
        results: Results,
        gallery: Arc<Gallery>,
        latency: Arc<Latency>,
        stop: watch::Receiver<bool>,
        notice: Box<dyn Fn(&str) + Send>,
    ) -> Self {
        Self {
            settings,
            seats: Vec::new(),
            agenda: Agenda::new(Vec::new()),
            results,
            gallery,
            hall: Hall {
                terms: settings.terms,
                latency,
                stop,
            },
            running: JoinSet::new(),
            begun: false,
            stalled: None,
            notice,
        }
    }

    /// Goes on with a tournament: the field is complete, and the games that
    /// have a result are counted.
    pub fn resume(&mut self, resumed: Resumed) {
        self.settings.rounds = resumed.rounds;
        self.seats = resumed.names.into_iter().map(Seat::new).collect();
        self.begin();
        for played in &resumed.played {
            if let Some(outcome) = played.game.outcome() {
                self.agenda.remove(played.pairing.game);
                self.count(played, outcome);
            }
        }
    }

    /// Plays the tournament with the bots that come through `claims`.
    ///
    /// # Errors
    /// If results cannot be written.
    pub async fn run(mut self, mut claims: mpsc::Receiver<Claim>) -> Result<Report, ResultsError> {
        if !self.begun && self.take_entries(&mut claims).await {
            self.results.begin(&Field {
                bots: self.seats.iter().map(|s| s.name.to_string()).collect(),
                rounds: self.settings.rounds,
            })?;
            self.begin();
        }
        if self.begun {
            self.play_games(&mut claims).await?;
        }
        Ok(self.end().await)
    }

    // ---- entries ----

    /// Waits until the tournament can begin: false if it is called off.
    async fn take_entries(&mut self, claims: &mut mpsc::Receiver<Claim>) -> bool {
        let mut stop = self.hall.stop.clone();
        let opening = Instant::now();
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        while !self.field_is_complete(opening) {
            let due = self.settings.wait.map(|wait| opening + wait);
            tokio::select! {
                Some(claim) = claims.recv() => self.hear_claim(claim),
                () = until(due.filter(|&due| due > Instant::now())) => {}
                _ = tick.tick() => self.look_after_idle(),
                _ = stop.wait_for(|&stop| stop) => return false,
            }
        }
        true
    }

    fn field_is_complete(&mut self, opening: Instant) -> bool {
        let Settings { bots, wait, .. } = self.settings;
        let complete = bots.is_some_and(|bots| self.seats.len() >= bots)
            || wait.is_some_and(|wait| opening.elapsed() >= wait) && self.seats.len() >= 2;
        if complete {
            // Who has left meanwhile does not take part.
            let before = self.seats.len();
            self.look_after_idle();
            return self.seats.len() == before || self.field_is_complete(opening);
        }
        false
    }

    fn hear_claim(&mut self, claim: Claim) {
        let Claim {
            name,
            connection,
            reply,
        } = claim;
        let seat = match self.seat_for(&name, connection.address()) {
            Err(why) => {
                // If the asker is gone, so is the connection.
                let _ = reply.send(Err((why, connection)));
                return;
            }
            Ok(seat) => seat,
        };
        let seat = &mut self.seats[seat];
        let address = connection.address();
        seat.address = Some(address);
        seat.connection = Some(connection);
        seat.silent_games = 0;
        let _ = reply.send(Ok(()));
        (self.notice)(&format!("{name} is here, from {address}"));
        self.show_seats();
    }

    /// The seat that a bot of this name may take.
    fn seat_for(&mut self, name: &Name, address: IpAddr) -> Result<usize, ClaimError> {
        let found = self.seats.iter().position(|seat| seat.name == *name);
        match found {
            Some(index) => {
                let begun = self.begun;
                let seat = &mut self.seats[index];
                if seat.playing || seat.is_there() {
                    Err(ClaimError::Taken)
                } else if begun && seat.address.is_some_and(|entered| entered != address) {
                    Err(ClaimError::OtherAddress)
                } else {
                    Ok(index)
                }
            }
            None if self.begun => Err(ClaimError::Begun),
            None if self.seats.len() >= MOST_BOTS => Err(ClaimError::Full),
            None => {
                self.seats.push(Seat::new(name.clone()));
                Ok(self.seats.len() - 1)
            }
        }
    }

    /// Notices idle bots that have left. Before the beginning they give up
    /// their seats; afterwards they may come back.
    fn look_after_idle(&mut self) {
        let mut left = Vec::new();
        for seat in &mut self.seats {
            if seat.connection.is_some() && !seat.is_there() {
                left.push(seat.name.to_string());
            }
        }
        if !self.begun {
            self.seats.retain(|seat| seat.connection.is_some());
        }
        if !left.is_empty() {
            (self.notice)(&format!("{} left", left.join(", ")));
            self.show_seats();
        }
    }

    // ---- games ----

    fn begin(&mut self) {
        self.begun = true;
        let schedule = round_robin(self.seats.len(), self.settings.rounds);
        self.gallery.show(|view| view.total = schedule.len());
        self.agenda = Agenda::new(schedule);
        self.show_seats();
    }

    async fn play_games(&mut self, claims: &mut mpsc::Receiver<Claim>) -> Result<(), ResultsError> {
        let mut stop = self.hall.stop.clone();
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            self.begin_games();
            if self.running.is_empty() && self.agenda.is_empty() {
                return Ok(());
            }
            let due = self.stalled.map(|since| since + self.settings.return_time);
            tokio::select! {
                Some(ended) = self.running.join_next() => self.game_ended(ended)?,
                Some(claim) = claims.recv() => self.hear_claim(claim),
                () = until(due) => self.forfeit_the_rest()?,
                _ = tick.tick() => self.look_after_idle(),
                _ = stop.wait_for(|&stop| stop) => break,
            }
        }
        // The games notice by themselves that they are called off.
        while let Some(ended) = self.running.join_next().await {
            self.game_ended(ended)?;
        }
        Ok(())
    }

    fn begin_games(&mut self) {
        let mut free: Vec<bool> = self.seats.iter_mut().map(Seat::is_there).collect();
        for pairing in self.agenda.begin(&mut free) {
            self.begin_game(pairing);
        }
        let stalled = self.running.is_empty() && !self.agenda.is_empty();
        self.stalled = stalled.then(|| self.stalled.unwrap_or_else(Instant::now));
    }

    fn begin_game(&mut self, pairing: Pairing) {
        let players = pairing.bots.map(|bot| {
            let seat = &mut self.seats[bot];
            let name = seat.name.clone();
            let connection = seat.connection.take()?;
            seat.playing = true;
            Some(Player { name, connection })
        });
        let [Some(first), Some(second)] = players else {
            unreachable!("the agenda begins games of bots that are there");
        };
        let names = [first.name.clone(), second.name.clone()];
        let live = self.settings.watched.then(|| {
            let live = Arc::new(LiveGame::new(names));
            let shown = live.clone();
            self.gallery.show(|view| {
                view.live.insert(pairing.game, shown);
            });
            live
        });
        let hall = self.hall.clone();
        self.running
            .spawn(play(pairing, [first, second], hall, live));
    }

    fn game_ended(
        &mut self,
        ended: Result<(Played, [Player; 2]), tokio::task::JoinError>,
    ) -> Result<(), ResultsError> {
        // Nobody cancels games, so only a panic has no result.
        let (played, players) =
            ended.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
        let Some(outcome) = played.game.outcome() else {
            unreachable!("a game is played to its end");
        };
        for (place, player) in players.into_iter().enumerate() {
            let seat = &mut self.seats[played.pairing.bots[place]];
            seat.playing = false;
            if player.connection.closed().is_none() {
                seat.connection = Some(player.connection);
            } else {
                (self.notice)(&format!("{} left", seat.name));
            }
            let silent = outcome.ending == Ending::TimeOut && outcome.winner != Some(place);
            seat.silent_games = if silent { seat.silent_games + 1 } else { 0 };
            if seat.silent_games >= SILENT_GAMES
                && let Some(connection) = seat.connection.take()
            {
                let why = format!(
                    "you ran out of time in {SILENT_GAMES} games in a row; connect again to go on"
                );
                tokio::spawn(async move { connection.farewell(&remark(&why)).await });
            }
        }
        if outcome.ending == Ending::Interrupted {
            // It is played again when the tournament is resumed.
            return Ok(());
        }
        self.record(&played, outcome)
    }

    /// Nothing can be played any more without bots that are away.
    fn forfeit_the_rest(&mut self) -> Result<(), ResultsError> {
        for pairing in self.agenda.take_all() {
            let names = pairing.bots.map(|bot| self.seats[bot].name.clone());
            let absent = pairing.bots.map(|bot| self.seats[bot].connection.is_none());
            let played = Played::absent(pairing, names, absent);
            if let Some(outcome) = played.game.outcome() {
                self.record(&played, outcome)?;
            }
        }
        Ok(())
    }

    fn record(&mut self, played: &Played, outcome: Outcome) -> Result<(), ResultsError> {
        // A slow disk must not hold up the games that share this thread.
        tokio::task::block_in_place(|| self.results.add(played, outcome))?;
        self.count(played, outcome);
        Ok(())
    }

    fn count(&mut self, played: &Played, outcome: Outcome) {
        for (place, &bot) in played.pairing.bots.iter().enumerate() {
            self.seats[bot].score.add(outcome, place);
        }
        self.gallery.show(|view| {
            view.live.remove(&played.pairing.game);
            view.past.extend(PastGame::new(played));
        });
        self.show_seats();
    }

    // ---- the table ----

    fn standings(&self) -> Standings {
        Standings::of(
            self.seats
                .iter()
                .map(|seat| (seat.name.clone(), seat.score)),
        )
    }

    fn show_seats(&self) {
        let standings = self.standings();
        let connected = self
            .seats
            .iter()
            .map(|seat| seat.playing || seat.connection.is_some())
            .collect();
        let running = self.running.len();
        let phase = if self.begun {
            Phase::Playing
        } else {
            Phase::Entry
        };
        self.gallery.show(|view| {
            view.standings = standings;
            view.connected = connected;
            view.running = running;
            view.phase = phase;
        });
    }

    /// Tells everybody the final table and closes all connections.
    async fn end(mut self) -> Report {
        let standings = self.standings();
        let interrupted = *self.hall.stop.borrow();
        let line = match interrupted {
            true => remark("the tournament was called off"),
            false => remark(&standings.sentence()),
        };
        let mut farewells = JoinSet::new();
        for connection in self.seats.iter_mut().filter_map(|s| s.connection.take()) {
            let line = line.clone();
            farewells.spawn(async move { connection.farewell(&line).await });
        }
        farewells.join_all().await;
        let games = self.gallery.look(|view| [view.past.len(), view.total]);
        self.gallery.show(|view| {
            view.phase = Phase::Over;
            view.live.clear();
            view.connected.fill(false);
        });
        Report {
            standings,
            games,
            interrupted,
        }
    }
}

/// Waits until the given time; without one, for ever.
async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}
