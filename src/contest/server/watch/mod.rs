//! The web page for spectators of a tournament: the table, and the board of any
//! game, live or afterwards.
//!
//! | to see or change | look at |
//! |---|---|
//! | the page itself: what it looks like, what it does | `page.html` |
//! | the addresses that the page requests | `mod.rs` |
//! | the port, limits of connections, who may open the page | `src/base/http/` |
//!
//! This module only reads the [`TournamentView`]; no bot and no game ever waits for a
//! spectator.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::http::{HeaderName, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use futures_util::stream::{Stream, unfold};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::sleep;

use super::live::{LiveGame, PastGame, Phase, TournamentView};
use crate::draw::BOARD_SCRIPT;
use crate::http::guard::{Access, Guard, guarded};
use crate::http::port::{self, ClientAddress, Page};
use crate::http::slots::{ConnectionSlots, Slot};
use crate::markup::LOOK_STYLE;

/// The maximum number of open event streams, in total and from one network.
const MOST_FOLLOWERS: usize = 100;
const MOST_FOLLOWERS_OF_ONE: usize = 80;

/// The minimum time between two updates of the table.
const TABLE_PAUSE: Duration = Duration::from_millis(300);

/// The maximum number of past games in one response.
const GAMES_AT_ONCE: usize = 60;

/// The page may load nothing except data from this server.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; \
     style-src 'unsafe-inline'; img-src data:; connect-src 'self'";

#[derive(Clone)]
struct WatchState {
    view: watch::Sender<TournamentView>,
    followers: ConnectionSlots,
}

/// Opens the page at an address and serves it in the background.
///
/// # Errors
/// If the address cannot be listened on.
pub(super) fn open(
    address: SocketAddr,
    access: Access,
    view: watch::Sender<TournamentView>,
) -> std::io::Result<Page> {
    let (listener, address) = port::listen(&[address])?;
    let state = WatchState {
        view,
        followers: ConnectionSlots::new(MOST_FOLLOWERS, MOST_FOLLOWERS_OF_ONE),
    };
    let routes = Router::new()
        .route("/", get(page))
        .route("/table", get(table))
        .route("/games", get(past_games))
        .route("/games/{number}", get(game))
        .with_state(state);
    let addresses = access.pages(address);
    let guard = Arc::new(Guard::new(address, access));
    let routes = guarded(guard, routes, Router::new());
    tokio::spawn(port::serve(listener, routes));
    Ok(Page { addresses })
}

async fn page() -> impl IntoResponse {
    let html = include_str!("page.html")
        .replace("/* LOOK_STYLE */", LOOK_STYLE)
        .replace("/* BOARD_SCRIPT */", BOARD_SCRIPT);
    let headers = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (HeaderName::from_static("x-content-type-options"), "nosniff"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, Html(html))
}

/// The response if too many spectators are connected.
fn no_place() -> Response {
    let why = format!(
        "too many spectators: at most {MOST_FOLLOWERS} tables and games are followed at a time, \
         {MOST_FOLLOWERS_OF_ONE} from one address; close other tabs, or try again later"
    );
    (StatusCode::SERVICE_UNAVAILABLE, why).into_response()
}

/// A response with the events of a stream. It ends if the spectator loses its slot.
fn events(stream: impl Stream<Item = Event> + Send + 'static, mut place: Slot) -> Response {
    use futures_util::StreamExt;
    let stream = stream.take_until(async move { place.lost().await });
    Sse::new(stream.map(Ok::<_, Infallible>))
        .keep_alive(KeepAlive::default())
        .into_response()
}

/// `/table`: the table and the games being played, whenever they change.
async fn table(
    State(state): State<WatchState>,
    Extension(client): Extension<ClientAddress>,
) -> Response {
    let Some(place) = state.followers.take(client.0) else {
        return no_place();
    };
    let first = (state.view.subscribe(), true);
    let stream = unfold(first, |(mut view, first)| async move {
        if !first {
            view.changed().await.ok()?;
            sleep(TABLE_PAUSE).await;
        }
        let table = overview(&view.borrow_and_update());
        Some((Event::default().data(table.to_string()), (view, false)))
    });
    events(stream, place)
}

fn overview(view: &TournamentView) -> Value {
    let rows = view.standings.0.iter().map(|row| {
        let connected = view.connected.get(row.bot).copied().unwrap_or_default();
        json!({
            "rank": row.rank, "name": row.name.as_str(), "points": row.score.points(),
            "games": row.score.games(), "wins": row.score.wins, "draws": row.score.draws,
            "losses": row.score.losses, "forfeits": row.score.forfeits, "connected": connected,
        })
    });
    let live = view.live.iter().map(|(number, game)| {
        json!({ "game": number, "names": game.names.each_ref().map(|name| name.as_str()) })
    });
    json!({
        "phase": view.phase, "played": view.past.len(), "total": view.total,
        "rows": rows.collect::<Vec<_>>(), "live": live.collect::<Vec<_>>(),
    })
}

#[derive(Deserialize)]
struct Which {
    /// Only games of this bot.
    bot: Option<String>,
    /// Only games that ended before this many had ended.
    before: Option<usize>,
}

/// `/games`: past games, the last one first.
async fn past_games(State(state): State<WatchState>, Query(which): Query<Which>) -> Response {
    let of_bot = |game: &PastGame| {
        let bot = which.bot.as_deref();
        bot.is_none_or(|bot| game.names.iter().any(|name| name.as_str() == bot))
    };
    let chosen: Vec<Value> = {
        let view = state.view.borrow();
        let end = which.before.unwrap_or(usize::MAX).min(view.past.len());
        let games = view.past[..end].iter().enumerate().rev();
        let chosen = games.filter(|(_, game)| of_bot(game)).take(GAMES_AT_ONCE);
        chosen.map(|(place, game)| summary(place, game)).collect()
    };
    axum::Json(json!({ "games": chosen })).into_response()
}

fn summary(place: usize, game: &PastGame) -> Value {
    json!({
        "place": place, "game": game.game, "round": game.round,
        "names": game.names.each_ref().map(|name| name.as_str()),
        "winner": game.outcome.winner, "ending": game.outcome.ending.name(), "why": game.why,
    })
}

/// The progress of one spectator of a game.
struct Following {
    view: watch::Receiver<TournamentView>,
    number: usize,
    live: Option<Arc<LiveGame>>,
    /// States to send, in reverse order.
    waiting: Vec<Arc<str>>,
    /// States taken from the live game.
    taken: usize,
    ended: bool,
}

/// `/games/N`: every past and future state of a game as an event, then an event
/// `end` with the result.
async fn game(
    State(state): State<WatchState>,
    Extension(client): Extension<ClientAddress>,
    Path(number): Path<usize>,
) -> Response {
    let Some(place) = state.followers.take(client.0) else {
        return no_place();
    };
    let (live, past) = {
        let view = state.view.borrow();
        let past = view.past.iter().find(|game| game.game == number);
        (view.live.get(&number).cloned(), past.cloned())
    };
    if live.is_none() && past.is_none() {
        let why = format!(
            "game {} has not begun, or there is no such game",
            number.saturating_add(1)
        );
        return (StatusCode::NOT_FOUND, why).into_response();
    }
    let states = past.map(|game| game.states()).unwrap_or_default();
    let following = Following {
        view: state.view.subscribe(),
        number,
        live,
        waiting: states.into_iter().rev().map(Arc::from).collect(),
        taken: 0,
        ended: false,
    };
    let stream = unfold(following, |mut following| async move {
        let event = following.next().await?;
        Some((event, following))
    });
    events(stream, place)
}

impl Following {
    async fn next(&mut self) -> Option<Event> {
        if self.ended {
            return None;
        }
        loop {
            if let Some(state) = self.waiting.pop() {
                return Some(Event::default().data(state.trim_end()));
            }
            let Some(live) = &self.live else {
                self.ended = true;
                return self.end().await;
            };
            let mut states = live.states.subscribe();
            // The sender lives as long as the game, which is held here.
            if let Ok(states) = states.wait_for(|states| states.len() > self.taken).await {
                self.waiting = states[self.taken..].to_vec();
            }
            self.taken += self.waiting.len();
            self.waiting.reverse();
            if self.waiting.first().is_some_and(|line| is_last(line)) {
                self.live = None;
            }
        }
    }

    /// The event with the result, sent as soon as the tournament knows it.
    async fn end(&mut self) -> Option<Event> {
        loop {
            let result = known_result(&self.view.borrow_and_update(), self.number);
            if let Some(result) = result {
                return Some(Event::default().event("end").data(result.to_string()));
            }
            self.view.changed().await.ok()?;
        }
    }
}

/// The result of a game, if it is known; null if the game was called off.
fn known_result(view: &TournamentView, number: usize) -> Option<Value> {
    let mut past = view.past.iter().enumerate().rev();
    match past.find(|(_, game)| game.game == number) {
        Some((place, game)) => Some(summary(place, game)),
        None => (view.phase == Phase::Over).then_some(Value::Null),
    }
}

fn is_last(state: &str) -> bool {
    state.starts_with("[\"gameOver\"")
}
