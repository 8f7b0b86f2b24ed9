//! Serves the page on this machine, with this program answering its questions.
//!
//! | to see or change | look at |
//! |---|---|
//! | the addresses and their headers | `mod.rs` (here) |
//! | one open page: its questions and searches | `socket.rs` |
//! | limits of searches | `slots.rs` |
//! | a live game of two pages, its guests and spectators | `live/` (table in `mod.rs`) |
//! | access control | `src/base/http/guard.rs` |
//! | the page's end of the connection | `link.js` |

mod live;
mod slots;
mod socket;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Extension, Query, Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use serde::Deserialize;
use tokio::sync::watch;

use super::{LONGEST_MESSAGE, PageBackend, page};
use crate::address::addresses_to_open;
use crate::http::AccessToken;
use crate::http::guard::{Access, Guard, NO_TOKEN, guarded, refused};
use crate::http::port::{self, ClientAddress, Page};
use crate::http::slots::ConnectionSlots;
use crate::mutex::MutexExt as _;
use live::{LiveSession, Role};
use slots::Slots;

/// The maximum open pages, in all and from one network.
const MOST_PAGES: usize = 64;
/// The maximum connections of the guest of a live game, and of its spectators. A page has two.
const MOST_OF_GUEST: usize = 8;
const MOST_OF_SPECTATORS: usize = 40;

/// Messages longer than this end the connection. Messages longer than [`LONGEST_MESSAGE`]
/// get an error as the answer.
const LONGEST_FRAME: usize = 4 * LONGEST_MESSAGE;

/// The state shared by all connections.
#[derive(Clone)]
struct AppState {
    backend: Arc<PageBackend>,
    /// Answers the guests of a live game: without programs, files and searches.
    guest_backend: Arc<PageBackend>,
    may_search: bool,
    slots: Slots,
    pages: ConnectionSlots,
    guests: ConnectionSlots,
    spectators: ConnectionSlots,
    live: LiveSession,
    /// The content of `/games`.
    games: Bytes,
    guard: Arc<Guard>,
    /// Becomes true when the server is to stop.
    stopped: watch::Receiver<bool>,
}

/// Listens at the first free address and serves the page in the background, to requests with
/// access, until `stopped` becomes true. `games` holds the games that the page starts with.
/// Returns the addresses of the page, and one that opens it once.
///
/// # Errors
/// If none of the addresses can be listened on.
pub fn open(
    addresses: &[SocketAddr],
    access: Access,
    backend: PageBackend,
    games: String,
    stopped: watch::Receiver<bool>,
) -> std::io::Result<(Page, String)> {
    let (listener, address) = port::listen(addresses)?;
    let once = AccessToken::fresh().map_err(std::io::Error::other)?;
    let opened = addresses_to_open(address)[0];
    let opening = format!("http://{opened}/open?once={}", once.as_str());
    let link = OneTimeLink {
        once: Arc::new(Mutex::new(Some(once))),
        page: format!("/{}", access.query()),
    };
    let addresses = access.pages(address);
    let guard = Arc::new(Guard::new(address, access));
    let live = LiveSession::new(address_for_others(address));
    let slots_of = |most| ConnectionSlots::new(most, most);
    let state = AppState {
        guest_backend: Arc::new(PageBackend::new(backend.options, None)),
        backend: Arc::new(backend),
        may_search: true,
        slots: Slots::for_this_machine(),
        pages: slots_of(MOST_PAGES),
        guests: slots_of(MOST_OF_GUEST),
        spectators: slots_of(MOST_OF_SPECTATORS),
        live: live.clone(),
        games: games.into(),
        guard: guard.clone(),
        stopped,
    };
    let host_only = Router::new()
        .route("/games", get(show_games))
        .with_state(state.clone());
    let admitted = middleware::from_fn_with_state(state.clone(), admit);
    let for_guests = Router::new()
        .route("/", get(show))
        .route("/socket", get(connect))
        .route("/live", get(connect_live))
        .layer(admitted)
        .with_state(state);
    let join = Router::new()
        .route("/join", get(live::join::ask).post(live::join::accept))
        .with_state(live);
    let link = Router::new().route("/open", get(lead)).with_state(link);
    let open = link.merge(join).merge(for_guests);
    tokio::spawn(port::serve(listener, guarded(guard, host_only, open)));
    Ok((Page { addresses }, opening))
}

/// The address of the page for other machines, unless only this one reaches it.
fn address_for_others(address: SocketAddr) -> Option<String> {
    let mut addresses = addresses_to_open(address).into_iter();
    let outer = addresses.find(|address| !address.ip().is_loopback())?;
    Some(format!("http://{outer}/"))
}

/// A page with access: its role, and the token that a guest was admitted by.
#[derive(Debug, Clone)]
struct Visitor {
    role: Role,
    token: Option<String>,
}

/// Admits the host by the token of the program, and others by a token of the live game.
async fn admit(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let query = request.uri().query().unwrap_or_default();
    let given = query
        .split('&')
        .find_map(|part| part.strip_prefix("guest="));
    let visitor = match given.map(str::to_string) {
        Some(given) => match state.live.role(&given) {
            Some(role) => Visitor {
                role,
                token: Some(given),
            },
            None => return refused("this invitation is no longer valid; ask for another one"),
        },
        None if state.guard.admits(Some(query)) => Visitor {
            role: Role::Host,
            token: None,
        },
        None => return refused(NO_TOKEN),
    };
    request.extensions_mut().insert(visitor);
    next.run(request).await
}

/// An address that redirects to the page once. The command line of a browser is no secret
/// on this machine, so the program opens this address instead of the page's.
#[derive(Clone)]
struct OneTimeLink {
    once: Arc<Mutex<Option<AccessToken>>>,
    page: String,
}

#[derive(Deserialize)]
struct Once {
    once: String,
}

/// `/open`: redirects to the page, once.
async fn lead(State(link): State<OneTimeLink>, Query(Once { once }): Query<Once>) -> Response {
    let mut open = link.once.locked();
    match open.take_if(|token| token.is(&once)) {
        Some(_) => Redirect::to(&link.page).into_response(),
        None => refused("this address works only once; open the address that the program printed"),
    }
}

/// `/`: the page. It loads nothing, and connects only to this server.
async fn show(State(state): State<AppState>, headers: HeaderMap) -> impl IntoResponse {
    // The headers were checked. In older browsers 'self' does not cover WebSockets.
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let here = host.map(|host| format!("ws://{host}"));
    let sockets: Vec<String> = here.into_iter().chain(state.guard.sockets()).collect();
    let sockets = sockets.join(" ");
    let policy = format!(
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
         img-src data: blob:; connect-src 'self' {sockets}; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    let headers = [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff".into()),
        (header::CACHE_CONTROL, "no-cache".into()),
        (header::REFERRER_POLICY, "no-referrer".into()),
    ];
    (headers, Html(page(include_str!("link.js"))))
}

/// `/games`: the games that the page starts with, one on each line.
async fn show_games(State(state): State<AppState>) -> impl IntoResponse {
    let kind = (header::CONTENT_TYPE, "application/jsonl; charset=utf-8");
    ([kind, (header::CACHE_CONTROL, "no-store")], state.games)
}

impl AppState {
    /// The slots for connections of a role.
    const fn slots_of(&self, role: Role) -> (&ConnectionSlots, usize) {
        match role {
            Role::Host => (&self.pages, MOST_PAGES),
            Role::Guest => (&self.guests, MOST_OF_GUEST),
            Role::Spectator => (&self.spectators, MOST_OF_SPECTATORS),
        }
    }

    /// What answers the questions of a role.
    fn answering(self, role: Role) -> Self {
        if role == Role::Host {
            return self;
        }
        Self {
            backend: self.guest_backend.clone(),
            may_search: false,
            ..self
        }
    }
}

/// `/socket`: the questions of one page.
async fn connect(
    State(state): State<AppState>,
    Extension(client): Extension<ClientAddress>,
    Extension(Visitor { role, .. }): Extension<Visitor>,
    upgrade: WebSocketUpgrade,
) -> Response {
    limited(upgrade, LONGEST_FRAME).on_upgrade(async move |socket| {
        let (slots, most) = state.slots_of(role);
        match slots.take(client.0) {
            Some(place) => socket::serve(socket, place, state.answering(role)).await,
            None => socket::refuse(socket, most).await,
        }
    })
}

/// `/live`: one page at the live game.
async fn connect_live(
    State(state): State<AppState>,
    Extension(client): Extension<ClientAddress>,
    Extension(Visitor { role, token }): Extension<Visitor>,
    upgrade: WebSocketUpgrade,
) -> Response {
    limited(upgrade, live::LONGEST_REQUEST).on_upgrade(async move |socket| {
        let (slots, most) = state.slots_of(role);
        match slots.take(client.0) {
            Some(place) => {
                live::follow(socket, place, state.live, (role, token), state.stopped).await;
            }
            None => socket::refuse(socket, most).await,
        }
    })
}

/// A connection whose messages are not longer than this.
fn limited(upgrade: WebSocketUpgrade, longest: usize) -> WebSocketUpgrade {
    upgrade
        .max_message_size(longest)
        .max_frame_size(longest)
        .write_buffer_size(0)
        .max_write_buffer_size(1 << 22)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;

    use super::*;

    /// Requests an address of a server. Returns the answer.
    fn get(address: &str) -> String {
        let rest = address.trim_start_matches("http://");
        let (host, path) = rest.split_once('/').unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        let head = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    #[test]
    fn the_opening_address_works_once() {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let (_stop, stopped) = watch::channel(false);
        let access = Access {
            token: Some(AccessToken::fresh().unwrap()),
            proxies: Vec::new(),
        };
        let query = access.query();
        let opened = runtime.block_on(async {
            let address = "127.0.0.1:0".parse().unwrap();
            let backend = PageBackend::for_tests();
            open(&[address], access, backend, String::new(), stopped)
        });
        let (page, opening) = opened.unwrap();
        assert!(!opening.contains(&query), "{opening}");
        let wrong = get(&format!("{opening}0"));
        assert!(wrong.starts_with("HTTP/1.1 403"), "{wrong}");
        let led = get(&opening);
        assert!(led.starts_with("HTTP/1.1 303"), "{led}");
        assert!(led.contains(&format!("location: /{query}\r\n")), "{led}");
        assert!(get(&page.addresses[0]).starts_with("HTTP/1.1 200"));
        let again = get(&opening);
        assert!(again.starts_with("HTTP/1.1 403"), "{again}");
    }
}
