//! The tournament: accepts entries, starts games, counts points, ends.
//!
//! One task holds all seats. It only reacts to entries, finished games and the clock. While
//! games run it never waits for a bot. Each game is its own task.

use std::collections::{BTreeMap, HashSet};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::connection::{Closed, ReceivedLine};
use super::entrant::{AfterGame, Claim, ClaimError, Entrant, SILENT_GAMES};
use super::game::Outcome;
use super::latency::Latency;
use super::live::{LiveGame, PastGame, Phase, TournamentView};
use super::no_show::{NoShows, tell_wins};
use super::play::{GameContext, PlayingBot, Terms, TournamentGame, play};
use super::results_file::{ResultsFile, ResumedTournament, TournamentHeader};
use super::schedule::{MOST_BOTS, Pairing, PendingGames, Readiness, RoundRobin};
use super::standings::Standings;
use crate::protocol::tcp::{BotName, COME_AGAIN, remark};
use crate::record::{Ending, SaveError};
use crate::stopwatch::Stopwatch;

/// The maximum time between two checks of idle connections.
const TICK: Duration = Duration::from_secs(1);

/// The number of games that are forfeited between two looks at the rest.
const FORFEITS: usize = 1000;

/// The settings of a tournament.
#[derive(Debug, Clone, Copy)]
pub struct ServerSettings {
    /// Start when this many bots have entered.
    pub bots: Option<usize>,
    /// Start after this time, once two bots have entered.
    pub wait: Option<Duration>,
    /// The number of rounds: how often every two bots meet.
    pub rounds: usize,
    /// The time limits and rules of each game.
    pub terms: Terms,
    /// How long to wait for absent bots once no other games are left.
    pub return_time: Duration,
    /// Whether spectators can follow games state by state.
    pub watched: bool,
}

/// The result of a tournament.
#[derive(Debug)]
pub struct FinalReport {
    /// The final table.
    pub standings: Standings,
    /// The number of games with a result, and of all games.
    pub games: [usize; 2],
    /// Whether the tournament was called off.
    pub interrupted: bool,
    /// Why it ended early, if its results could not be saved.
    pub failure: Option<SaveError>,
}

/// A tournament from the entries to the final table.
pub(super) struct Tournament {
    settings: ServerSettings,
    seats: Vec<Entrant>,
    pending: PendingGames,
    results: ResultsFile,
    /// What spectators can see.
    view: watch::Sender<TournamentView>,
    /// Becomes true when the tournament is called off from outside.
    stop: watch::Receiver<bool>,
    /// Ends the running games.
    end_games: watch::Sender<bool>,
    context: GameContext,
    running: JoinSet<(TournamentGame, [PlayingBot; 2])>,
    begun: bool,
    /// Whether the tournament was resumed and no bot has returned yet.
    deserted: bool,
    /// Runs while every game left lacks a bot and none is running. Off while `deserted`.
    stalled: Option<Stopwatch>,
    /// Why results could not be saved. Then no more games start.
    failure: Option<SaveError>,
    notice: Box<dyn Fn(&str) + Send>,
}

impl Tournament {
    /// Creates a tournament without entries. Setting `stop` calls it off. `notice` gets
    /// messages about who comes and goes.
    pub(super) fn new(
        settings: ServerSettings,
        results: ResultsFile,
        view: watch::Sender<TournamentView>,
        latency: Arc<Latency>,
        stop: watch::Receiver<bool>,
        notice: Box<dyn Fn(&str) + Send>,
    ) -> Self {
        let (end_games, games_end) = watch::channel(false);
        Self {
            settings,
            seats: Vec::new(),
            pending: PendingGames::new(RoundRobin::new(0, 0)),
            results,
            view,
            stop,
            end_games,
            context: GameContext {
                terms: settings.terms,
                latency,
                stop: games_end,
            },
            running: JoinSet::new(),
            begun: false,
            deserted: false,
            stalled: None,
            failure: None,
            notice,
        }
    }

    /// Resumes a tournament: all bots are known, and finished games are counted. No game
    /// is forfeited before the first bot returns, however long that takes, because the
    /// bots have to be restarted.
    pub(super) fn resume(&mut self, resumed: ResumedTournament) {
        self.deserted = true;
        self.settings.rounds = resumed.rounds;
        let bots = resumed.names.into_iter().zip(resumed.addresses);
        self.seats = bots.map(|(name, at)| Entrant::new(name, at)).collect();
        self.begin();
        let mut done = HashSet::new();
        for played in &resumed.played {
            if let Some(outcome) = played.game.outcome() {
                done.insert(played.pairing.game);
                self.count(played, outcome);
            }
        }
        self.pending.remove(&done);
        self.show_seats();
    }

    /// Plays the tournament with the bots that arrive through `claims`.
    pub(super) async fn run(mut self, mut claims: mpsc::Receiver<Claim>) -> FinalReport {
        if !self.begun && self.take_entries(&mut claims).await {
            let begun = self.results.begin(&TournamentHeader {
                bots: self.seats.iter().map(|s| s.name.to_string()).collect(),
                addresses: self.seats.iter().map(|seat| seat.address).collect(),
                rounds: self.settings.rounds,
            });
            match begun {
                Ok(()) => self.begin(),
                Err(failure) => self.fail(failure),
            }
        }
        if self.begun {
            self.play_games(&mut claims).await;
        }
        claims.close();
        while let Ok(claim) = claims.try_recv() {
            drop(claim.reply.send(Err((ClaimError::Over, claim.connection))));
        }
        self.end().await
    }

    // ---- entries ----

    /// Waits until the tournament can start. Returns false if it is called off.
    async fn take_entries(&mut self, claims: &mut mpsc::Receiver<Claim>) -> bool {
        let mut stop = self.stop.clone();
        let opening = Instant::now();
        while !self.field_is_complete(opening) {
            self.look_after_idle();
            let left = self
                .settings
                .wait
                .map(|wait| wait.saturating_sub(opening.elapsed()));
            // Once the wait is over, only bots are missing.
            let left = left.filter(|left| !left.is_zero());
            tokio::select! {
                Some(claim) = claims.recv() => self.take_claim(claim),
                () = sleep(left.map_or(TICK, |left| left.min(TICK))) => {}
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
            // Bots that have left do not take part.
            let before = self.seats.len();
            self.look_after_idle();
            return self.seats.len() == before || self.field_is_complete(opening);
        }
        false
    }

    fn take_claim(&mut self, claim: Claim) {
        let Claim {
            name,
            mut connection,
            log,
            reply,
        } = claim;
        let address = connection.address;
        match self.seat_for(&name, address) {
            // If the receiver is gone, so is the connection.
            Err(why) => drop(reply.send(Err((why, connection)))),
            Ok(seat) => {
                if let Some(log) = log {
                    let first = ReceivedLine::Text(name.as_str().into());
                    connection.log_to(log.of(&name), Some(&first));
                }
                self.seats[seat].take(connection);
                self.deserted = false;
                (self.notice)(&format!("{name} is here, from {address}"));
                drop(reply.send(Ok(())));
                self.show_seats();
            }
        }
    }

    /// The seat for a bot of this name.
    fn seat_for(&mut self, name: &BotName, address: IpAddr) -> Result<usize, ClaimError> {
        let found = self.seats.iter().position(|seat| seat.name == *name);
        match found {
            Some(index) => {
                self.seats[index].may_take(address, self.begun)?;
                Ok(index)
            }
            None if self.begun => Err(ClaimError::Begun),
            None if self.seats.len() >= MOST_BOTS => Err(ClaimError::Full),
            None => {
                self.seats.push(Entrant::new(name.clone(), None));
                Ok(self.seats.len() - 1)
            }
        }
    }

    /// Notices idle bots that have left. Before the start they lose their seats; later
    /// they may return.
    fn look_after_idle(&mut self) {
        let mut left = Vec::new();
        for seat in &mut self.seats {
            match seat.has_left() {
                None => {}
                Some(Closed::Ended) => left.push(seat.name.to_string()),
                Some(why) => left.push(format!("{} ({why})", seat.name)),
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
        let schedule = RoundRobin::new(self.seats.len(), self.settings.rounds);
        self.view.send_modify(|view| view.total = schedule.len());
        self.pending = PendingGames::new(schedule);
        self.show_seats();
    }

    async fn play_games(&mut self, claims: &mut mpsc::Receiver<Claim>) {
        let mut stop = self.stop.clone();
        while self.failure.is_none() {
            // Reports bots that have left since.
            self.look_after_idle();
            self.begin_games();
            if self.running.is_empty() && self.pending.is_empty() {
                return;
            }
            let stalled = self.stalled.as_mut().map(Stopwatch::elapsed);
            let left = stalled.map(|stalled| self.settings.return_time.saturating_sub(stalled));
            if left.is_some_and(|left| left.is_zero()) {
                self.forfeit_the_rest().await;
                continue;
            }
            tokio::select! {
                Some(ended) = self.running.join_next() => self.game_ended(ended),
                Some(claim) = claims.recv() => self.take_claim(claim),
                () = sleep(left.map_or(TICK, |left| left.min(TICK))) => {}
                _ = stop.wait_for(|&stop| stop) => break,
            }
        }
        self.end_games.send_replace(true);
        while let Some(ended) = self.running.join_next().await {
            self.game_ended(ended);
        }
    }

    fn begin_games(&mut self) {
        let mut bots: Vec<Readiness> = self.seats.iter_mut().map(Entrant::readiness).collect();
        for pairing in self.pending.begin(&mut bots) {
            self.begin_game(pairing);
        }
        let stalled =
            !self.deserted && self.running.is_empty() && self.only_absent_bots_are_left(&bots);
        if !stalled {
            self.stalled = None;
        } else if self.stalled.is_none() {
            self.stalled = Some(Stopwatch::start(TICK));
        }
    }

    /// Whether games are left, all of them with an absent bot. A bot whose late answer is
    /// awaited is present.
    fn only_absent_bots_are_left(&self, readiness: &[Readiness]) -> bool {
        let is_absent = |bot: usize| readiness[bot] == Readiness::Absent;
        let mut left = self.pending.left().peekable();
        left.peek().is_some() && left.all(|bots| bots.into_iter().any(is_absent))
    }

    fn begin_game(&mut self, pairing: Pairing) {
        let players = pairing.bots.map(|bot| self.seats[bot].play());
        let [Some(first), Some(second)] = players else {
            unreachable!("only games of present bots start");
        };
        let names = pairing.bots.map(|bot| self.seats[bot].name.clone());
        let watched = self.settings.watched;
        let live = watched.then(|| {
            let (names, states) = (names.clone(), watch::Sender::default());
            Arc::new(LiveGame { names, states })
        });
        let (new, context) = (TournamentGame::new(pairing, names), self.context.clone());
        self.running
            .spawn(play(new, [first, second], context, live.clone()));
        let running = self.running.len();
        self.view.send_modify(|view| {
            view.live.extend(live.map(|live| (pairing.game, live)));
            view.running = running;
        });
    }

    fn game_ended(
        &mut self,
        ended: Result<(TournamentGame, [PlayingBot; 2]), tokio::task::JoinError>,
    ) {
        // Games are never cancelled, so only a panic has no result.
        let (played, players) =
            ended.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
        let Some(outcome) = played.game.outcome() else {
            unreachable!("finished games have an outcome");
        };
        for (bot, player) in played.pairing.bots.into_iter().zip(players) {
            self.take_back(bot, player);
        }
        // An interrupted game is played again after a resume.
        if outcome.ending != Ending::Interrupted {
            self.record(&played, outcome);
        }
    }

    /// Takes a bot back after a game.
    fn take_back(&mut self, bot: usize, player: PlayingBot) {
        let answer_time = self.settings.terms.answer_time;
        let seat = &mut self.seats[bot];
        match seat.come_back(player, answer_time) {
            AfterGame::Stays => {}
            // It has reconnected already.
            AfterGame::Left if seat.is_connected() => {}
            AfterGame::Left => (self.notice)(&format!("{} left", seat.name)),
            AfterGame::Expelled(connection) => {
                let why = format!("ran out of time in {SILENT_GAMES} games in a row");
                (self.notice)(&format!("{} is disconnected: it {why}", seat.name));
                let line = remark(&format!("you {why}; {COME_AGAIN}"));
                tokio::spawn(async move { connection.farewell(&line).await });
            }
        }
    }

    /// Forfeits the games that cannot be played without absent bots, until the tournament is
    /// called off.
    async fn forfeit_the_rest(&mut self) {
        self.stalled = None;
        let no_shows = Arc::new(NoShows {
            names: self.seats.iter().map(|seat| seat.name.clone()).collect(),
            absent: self.seats.iter_mut().map(|seat| !seat.is_there()).collect(),
        });
        let mut won: BTreeMap<usize, Vec<Pairing>> = BTreeMap::new();
        while self.failure.is_none() && !*self.stop.borrow() {
            let pairings = self.pending.take(FORFEITS, |bots| no_shows.concerns(bots));
            if pairings.is_empty() {
                break;
            }
            for pairing in pairings {
                let played = no_shows.forfeited(pairing);
                let Some(outcome) = played.game.outcome().filter(|&it| self.save(&played, it))
                else {
                    break;
                };
                self.count(&played, outcome);
                if let Some(winner) = no_shows.winner(pairing.bots) {
                    won.entry(winner).or_default().push(pairing);
                }
            }
            self.show_seats();
            tokio::task::yield_now().await;
        }
        let mut telling = JoinSet::new();
        for (bot, games) in won {
            if let Some(connection) = self.seats[bot].connection.take() {
                let told = tell_wins(no_shows.clone(), games, connection);
                telling.spawn(async move { (bot, told.await) });
            }
        }
        for (bot, connection) in telling.join_all().await {
            self.seats[bot].connection = Some(connection);
        }
    }

    /// Saves and counts a game.
    fn record(&mut self, played: &TournamentGame, outcome: Outcome) {
        if self.save(played, outcome) {
            self.count(played, outcome);
            self.show_seats();
        }
    }

    /// Saves a game. Returns whether that succeeded.
    fn save(&mut self, played: &TournamentGame, outcome: Outcome) -> bool {
        // A slow disk must not delay the games that share this thread.
        let saved = tokio::task::block_in_place(|| self.results.add(played, outcome));
        saved.map_err(|failure| self.fail(failure)).is_ok()
    }

    /// Ends the tournament because results cannot be saved.
    fn fail(&mut self, failure: SaveError) {
        match &mut self.failure {
            Some(first) => first.lost.extend(failure.lost),
            None => self.failure = Some(failure),
        }
    }

    fn count(&mut self, played: &TournamentGame, outcome: Outcome) {
        for (place, &bot) in played.pairing.bots.iter().enumerate() {
            self.seats[bot].score.add(outcome, place);
        }
        self.view.send_modify(|view| {
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
        let phase = match self.begun {
            true => Phase::Playing,
            false => Phase::Entry,
        };
        self.view.send_modify(|view| {
            view.standings = standings;
            view.connected = connected;
            view.running = running;
            view.phase = phase;
        });
    }

    /// Sends the final table to all bots, or why there is none, and closes all connections.
    async fn end(self) -> FinalReport {
        let standings = self.standings();
        let interrupted = *self.stop.borrow();
        let line = match (&self.failure, interrupted) {
            (Some(_), _) => format!(
                "the results cannot be saved, so the last games will be played again; {COME_AGAIN}"
            ),
            (None, true) => "the tournament was called off".to_string(),
            (None, false) => standings.sentence(),
        };
        let line = remark(&line);
        let mut farewells = JoinSet::new();
        for connection in self.seats.into_iter().filter_map(|seat| seat.connection) {
            let line = line.clone();
            farewells.spawn(async move { connection.farewell(&line).await });
        }
        farewells.join_all().await;
        let mut games = [0; 2];
        self.view.send_modify(|view| {
            games = [view.past.len(), view.total];
            view.phase = Phase::Over;
            view.live.clear();
            view.connected.fill(false);
        });
        FinalReport {
            standings,
            games,
            interrupted,
            failure: self.failure,
        }
    }
}
