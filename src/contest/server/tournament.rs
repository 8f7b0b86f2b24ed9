//! The tournament: takes entries, begins games, counts points, ends.
//!
//! One task holds all seats. It only reacts, to entries, to games that ended
//! and to the clock, and never waits for a bot; games are tasks of their own.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use super::absence::Absence;
use super::entrant::{Back, Claim, ClaimError, Entrant};
use super::latency::Latency;
use super::live::{Gallery, LiveGame, PastGame, Phase};
use super::outcome::Outcome;
use super::play::{Hall, Played, PlayingBot, Terms, play};
use super::results_file::{Field, ResultsFile, ResultsFileError, Resumed};
use super::schedule::{Agenda, Pairing, round_robin};
use super::standings::Standings;
use crate::protocol::tcp::{BotName, remark};
use crate::record::Ending;
use crate::stopwatch::Stopwatch;

/// The most bots in a tournament.
pub const MOST_BOTS: usize = 500;

/// The most times that everybody meets everybody.
pub const MOST_ROUNDS: usize = 100;

/// How often idle connections and the time are checked.
const TICK: Duration = Duration::from_secs(1);

/// How a tournament is played.
#[derive(Debug, Clone, Copy)]
pub struct ServerSettings {
    /// Begin when this many bots have entered.
    pub bots: Option<usize>,
    /// Begin after this time, if two bots have entered.
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

/// How a tournament ended.
#[derive(Debug)]
pub struct FinalReport {
    pub standings: Standings,
    /// Games with a result, and all games.
    pub games: [usize; 2],
    /// Whether it was called off.
    pub interrupted: bool,
}

/// A tournament from the entries to the final table.
pub struct Tournament {
    settings: ServerSettings,
    seats: Vec<Entrant>,
    agenda: Agenda,
    results: ResultsFile,
    gallery: Arc<Gallery>,
    hall: Hall,
    running: JoinSet<(Played, [PlayingBot; 2])>,
    begun: bool,
    /// Whether it is gone on with, and no bot has come back yet.
    deserted: bool,
    /// Runs while games are left of which none can begin.
    stalled: Option<Stopwatch>,
    notice: Box<dyn Fn(&str) + Send>,
}

impl Tournament {
    /// A tournament that nobody has entered. `stop` calls it off; `notice`
    /// is told in words who comes and goes.
    pub fn new(
        settings: ServerSettings,
        results: ResultsFile,
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
            deserted: false,
            stalled: None,
            notice,
        }
    }

    /// Goes on with a tournament: the field is complete, and the games that
    /// have a result are counted. However long it takes, nothing is forfeited
    /// before the first bot is back: the bots have to be started again.
    pub fn resume(&mut self, resumed: Resumed) {
        self.deserted = true;
        self.settings.rounds = resumed.rounds;
        self.seats = resumed.names.into_iter().map(Entrant::new).collect();
        self.begin();
        let mut done = HashSet::new();
        for played in &resumed.played {
            if let Some(outcome) = played.game.outcome() {
                done.insert(played.pairing.game);
                self.count(played, outcome);
            }
        }
        self.agenda.remove(&done);
        self.show_seats();
    }

    /// Plays the tournament with the bots that come through `claims`.
    ///
    /// # Errors
    /// If results cannot be written.
    pub async fn run(
        mut self,
        mut claims: mpsc::Receiver<Claim>,
    ) -> Result<FinalReport, ResultsFileError> {
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
        let ServerSettings { bots, wait, .. } = self.settings;
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
        let address = connection.address();
        match self.seat_for(&name, address) {
            // If the asker is gone, so is the connection.
            Err(why) => drop(reply.send(Err((why, connection)))),
            Ok(seat) => {
                self.seats[seat].take(connection);
                self.deserted = false;
                (self.notice)(&format!("{name} is here, from {address}"));
                drop(reply.send(Ok(())));
                self.show_seats();
            }
        }
    }

    /// The seat that a bot of this name may take.
    fn seat_for(&mut self, name: &BotName, address: IpAddr) -> Result<usize, ClaimError> {
        let found = self.seats.iter().position(|seat| seat.name == *name);
        match found {
            Some(index) => {
                let taken = self.seats[index].may_take(address, self.begun);
                taken.map(|()| index)
            }
            None if self.begun => Err(ClaimError::Begun),
            None if self.seats.len() >= MOST_BOTS => Err(ClaimError::Full),
            None => {
                self.seats.push(Entrant::new(name.clone()));
                Ok(self.seats.len() - 1)
            }
        }
    }

    /// Notices idle bots that have left. Before the beginning they give up
    /// their seats; afterwards they may come back.
    fn look_after_idle(&mut self) {
        let mut left = Vec::new();
        for seat in &mut self.seats {
            if seat.has_left() {
                left.push(seat.name.to_string());
            }
        }
        if !self.begun {
            self.seats.retain(Entrant::is_connected);
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

    async fn play_games(
        &mut self,
        claims: &mut mpsc::Receiver<Claim>,
    ) -> Result<(), ResultsFileError> {
        let mut stop = self.hall.stop.clone();
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            // Else nobody would be told who has left since.
            self.look_after_idle();
            self.begin_games();
            if self.running.is_empty() && self.agenda.is_empty() {
                return Ok(());
            }
            let return_time = self.settings.return_time;
            let stalled = self.stalled.as_mut().map(Stopwatch::elapsed);
            let due = stalled.map(|stalled| Instant::now() + return_time.saturating_sub(stalled));
            let mut overdue = false;
            tokio::select! {
                Some(ended) = self.running.join_next() => self.game_ended(ended)?,
                Some(claim) = claims.recv() => self.hear_claim(claim),
                () = until(due) => {
                    let stalled = self.stalled.as_mut().map(Stopwatch::elapsed);
                    overdue = stalled.is_some_and(|stalled| stalled >= return_time);
                }
                _ = tick.tick() => self.look_after_idle(),
                _ = stop.wait_for(|&stop| stop) => break,
            }
            if overdue {
                self.forfeit_the_rest().await?;
            }
        }
        // The games notice by themselves that they are called off.
        while let Some(ended) = self.running.join_next().await {
            self.game_ended(ended)?;
        }
        Ok(())
    }

    fn begin_games(&mut self) {
        let mut free: Vec<bool> = self.seats.iter_mut().map(Entrant::is_free).collect();
        for pairing in self.agenda.begin(&mut free) {
            self.begin_game(pairing);
        }
        let stalled = !self.deserted && self.running.is_empty() && self.only_absent_bots_are_left();
        let since = self.stalled.take().filter(|_| stalled);
        self.stalled = stalled.then(|| since.unwrap_or_else(|| Stopwatch::start(TICK)));
    }

    /// Whether games are left, and each of them needs a bot that is away. A bot
    /// whose late answer is awaited is there.
    fn only_absent_bots_are_left(&mut self) -> bool {
        let there: Vec<bool> = self.seats.iter_mut().map(Entrant::is_there).collect();
        let mut left = self.agenda.left().peekable();
        left.peek().is_some() && left.all(|bots| bots.iter().any(|&bot| !there[bot]))
    }

    fn begin_game(&mut self, pairing: Pairing) {
        let players = pairing.bots.map(|bot| self.seats[bot].play());
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
        let running = self.running.len();
        self.gallery.show(|view| view.running = running);
    }

    fn game_ended(
        &mut self,
        ended: Result<(Played, [PlayingBot; 2]), tokio::task::JoinError>,
    ) -> Result<(), ResultsFileError> {
        // Nobody cancels games, so only a panic has no result.
        let (played, players) =
            ended.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
        let Some(outcome) = played.game.outcome() else {
            unreachable!("a game is played to its end");
        };
        for (bot, player) in played.pairing.bots.into_iter().zip(players) {
            self.take_back(bot, player);
        }
        if outcome.ending == Ending::Interrupted {
            // It is played again when the tournament is resumed.
            return Ok(());
        }
        self.record(&played, outcome)
    }

    /// A bot comes back from a game.
    fn take_back(&mut self, bot: usize, player: PlayingBot) {
        let answer_time = self.settings.terms.answer_time;
        let seat = &mut self.seats[bot];
        match seat.come_back(player, answer_time) {
            Back::Stays => {}
            // It has come back meanwhile.
            Back::Left if seat.is_connected() => {}
            Back::Left => (self.notice)(&format!("{} left", seat.name)),
            Back::ShownOut(connection, why) => {
                (self.notice)(&format!("{} is shown out: {why}", seat.name));
                tokio::spawn(async move { connection.farewell(&remark(&why)).await });
            }
        }
    }

    /// Nothing can be played any more without bots that are away.
    async fn forfeit_the_rest(&mut self) -> Result<(), ResultsFileError> {
        self.stalled = None;
        let absence = Absence {
            names: self.seats.iter().map(|seat| seat.name.clone()).collect(),
            absent: self.seats.iter_mut().map(|seat| !seat.is_there()).collect(),
        };
        let mut won = vec![Vec::new(); self.seats.len()];
        for pairing in self.agenda.take(|bots| absence.concerns(bots)) {
            let played = absence.forfeited(pairing);
            if let Some(outcome) = played.game.outcome() {
                self.record(&played, outcome)?;
            }
            if let Some(winner) = absence.winner(pairing.bots) {
                won[winner].push(pairing);
            }
        }
        self.tell_winners(absence, won).await;
        Ok(())
    }

    /// Tells each bot the end of the games that it has won against bots that
    /// are away.
    async fn tell_winners(&mut self, absence: Absence, won: Vec<Vec<Pairing>>) {
        let absence = Arc::new(absence);
        let mut telling = JoinSet::new();
        for (bot, won) in won.into_iter().enumerate() {
            if won.is_empty() {
                continue;
            }
            if let Some(mut connection) = self.seats[bot].lend_connection() {
                let absence = absence.clone();
                telling.spawn(async move {
                    let games = won.into_iter();
                    connection.tell(games.map(|game| absence.lines(game))).await;
                    (bot, connection)
                });
            }
        }
        for (bot, connection) in telling.join_all().await {
            self.seats[bot].give_back(connection);
        }
    }

    fn record(&mut self, played: &Played, outcome: Outcome) -> Result<(), ResultsFileError> {
        // A slow disk must not hold up the games that share this thread.
        tokio::task::block_in_place(|| self.results.add(played, outcome))?;
        self.count(played, outcome);
        self.show_seats();
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
        let connected = self.seats.iter().map(Entrant::is_connected).collect();
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
    async fn end(mut self) -> FinalReport {
        let standings = self.standings();
        let interrupted = *self.hall.stop.borrow();
        let line = match interrupted {
            true => remark("the tournament was called off"),
            false => remark(&standings.sentence()),
        };
        let mut farewells = JoinSet::new();
        for connection in self.seats.iter_mut().filter_map(Entrant::lend_connection) {
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
        FinalReport {
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
