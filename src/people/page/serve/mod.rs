//! Serves the page on this machine, with this program answering its questions.
//!
//! | to see or change | look at |
//! |---|---|
//! | the addresses and their headers | `mod.rs` (here) |
//! | one open page: its questions and searches | `socket.rs` |
//! | limits of searches | `slots.rs` |
//! | access control | `src/base/http/guard.rs` |
//! | the page's end of the connection | `link.js` |

mod slots;
mod socket;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Extension, Query, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use serde::Deserialize;
use tokio::sync::watch;

use super::{LONGEST_MESSAGE, PageBackend, page};
use crate::http::AccessToken;
use crate::http::guard::{Access, Guard, guarded, refused};
use crate::http::port::{self, ClientAddress, Page};
use crate::http::slots::ConnectionSlots;
use slots::Slots;

/// The maximum open pages, in all and from one network.
const MOST_PAGES: usize = 64;

/// Messages longer than this end the connection. Messages longer than [`LONGEST_MESSAGE`]
/// get an error as the answer.
const LONGEST_FRAME: usize = 4 * LONGEST_MESSAGE;

/// The state shared by all connections.
#[derive(Clone)]
struct AppState {
    backend: Arc<PageBackend>,
    slots: Slots,
    pages: ConnectionSlots,
    /// The content of `/games`.
    games: Bytes,
    guard: Arc<Guard>,
    /// Becomes true when the server is to stop.
    stopped: watch::Receiver<bool>,
}

/// Listens at an address and serves the page in the background to those who have access,
/// until `stopped` becomes true. `games` are the games that the page starts with. Returns
/// the addresses of the page, and one that opens it once.
/// # Errors
/// If the address cannot be listened on.
pub fn open(
    address: SocketAddr,
    access: Access,
    backend: PageBackend,
    games: String,
    stopped: watch::Receiver<bool>,
) -> std::io::Result<(Page, String)> {
    let (listener, address) = port::listen(address)?;
    let once = AccessToken::fresh().map_err(std::io::Error::other)?;
    let opening = format!("http://{address}/open?once={}", once.as_str());
    let link = OneTimeLink {
        once: Arc::new(Mutex::new(Some(once))),
        page: format!("/{}", access.query()),
    };
    let addresses = access.pages(address);
    let guard = Arc::new(Guard::new(address, access));
    let state = AppState {
        backend: Arc::new(backend),
        slots: Slots::for_this_machine(),
        pages: ConnectionSlots::new(MOST_PAGES, MOST_PAGES),
        games: games.into(),
        guard: guard.clone(),
        stopped,
    };
    let routes = Router::new()
        .route("/", get(show))
        .route("/games", get(show_games))
        .route("/socket", get(connect))
        .with_state(state);
    let link = Router::new().route("/open", get(lead)).with_state(link);
    tokio::spawn(port::serve(listener, guarded(guard, routes, link)));
    Ok((Page { addresses }, opening))
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
    let mut open = link.once.lock().unwrap_or_else(PoisonError::into_inner);
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
        (
            HeaderName::from_static("x-content-type-options"),
            "nosniff".into(),
        ),
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

/// `/socket`: the questions of one page.
async fn connect(
    State(state): State<AppState>,
    Extension(client): Extension<ClientAddress>,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade
        .max_message_size(LONGEST_FRAME)
        .max_frame_size(LONGEST_FRAME)
        .write_buffer_size(0)
        .max_write_buffer_size(1 << 22)
        .on_upgrade(async move |socket| match state.pages.take(client.0) {
            Some(place) => socket::serve(socket, place, state).await,
            None => socket::refuse(socket, MOST_PAGES).await,
        })
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpStream;
    use std::time::Duration;

    use super::*;
    use crate::page::BackendOptions;

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
        let options = BackendOptions {
            time: Duration::from_secs(1),
            threads: 1,
            hash_mib: 1,
        };
        let access = Access {
            token: Some(AccessToken::fresh().unwrap()),
            proxies: Vec::new(),
        };
        let query = access.query();
        let opened = runtime.block_on(async {
            let address = "127.0.0.1:0".parse().unwrap();
            open(
                address,
                access,
                PageBackend::new(options, None),
                String::new(),
                stopped,
            )
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
