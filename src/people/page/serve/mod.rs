//! The page served on this machine, with the answers of this program behind
//! it.
//!
//! | to see or change | look at |
//! |---|---|
//! | the addresses and their headers | `mod.rs` (here) |
//! | one open page: its questions, in turn and side by side | `socket.rs` |
//! | how many searches run at the same time | `slots.rs` |
//! | who may ask: no page of others | `guard.rs` |
//! | the page's end of the connection | `link.js` |

mod guard;
mod slots;
mod socket;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Extension, Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use tokio::sync::watch;

use super::{Desk, LONGEST_MESSAGE, page};
use crate::http::places::Places;
use crate::http::port::{self, Asker};
use guard::Guard;
use slots::Slots;

/// Pages that can be open at the same time, in all and on one network.
const MOST_PAGES: usize = 64;

/// Longer messages end the connection; up to this they are answered by what is
/// wrong with them.
const LONGEST_FRAME: usize = 4 * LONGEST_MESSAGE;

/// All that the connections share.
#[derive(Clone)]
struct Hall {
    desk: Arc<Desk>,
    slots: Slots,
    pages: Places,
    /// What is served at `/games`.
    games: Bytes,
    /// Whether everything is to end.
    stopped: watch::Receiver<bool>,
}

/// Listens at an address and serves the page in the background, until
/// `stopped` becomes true; `games` are those that the page begins with. Gives the address with its port filled in.
///
/// # Errors
/// If the address cannot be listened on.
pub fn open(
    address: SocketAddr,
    desk: Desk,
    games: String,
    stopped: watch::Receiver<bool>,
) -> std::io::Result<SocketAddr> {
    let (listener, address) = port::listen(address)?;
    let hall = Hall {
        desk: Arc::new(desk),
        slots: Slots::for_this_machine(),
        pages: Places::new(MOST_PAGES, MOST_PAGES),
        games: games.into(),
        stopped,
    };
    let routes = Router::new()
        .route("/", get(show))
        .route("/games", get(show_games))
        .route("/socket", get(connect))
        .layer(middleware::from_fn_with_state(Guard::new(address), check))
        .with_state(hall);
    tokio::spawn(port::serve(listener, routes));
    Ok(address)
}

/// Answers nobody who asks for a host that this is not.
async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    match guard.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(why) => (StatusCode::FORBIDDEN, format!("{why}\n")).into_response(),
    }
}

/// `/`: the page. It loads nothing, and connects to nobody but this server.
async fn show(headers: HeaderMap) -> impl IntoResponse {
    // It has been checked. Older browsers take 'self' for the page alone.
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let socket = host.map(|host| format!(" ws://{host}")).unwrap_or_default();
    let policy = format!(
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
         img-src data: blob:; connect-src 'self'{socket}; base-uri 'none'; form-action 'none'; \
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

/// `/games`: what the page begins with, a game on each line.
async fn show_games(State(hall): State<Hall>) -> impl IntoResponse {
    let kind = (header::CONTENT_TYPE, "application/jsonl; charset=utf-8");
    ([kind, (header::CACHE_CONTROL, "no-store")], hall.games)
}

/// `/socket`: the questions of one page.
async fn connect(
    State(hall): State<Hall>,
    Extension(asker): Extension<Asker>,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade
        .max_message_size(LONGEST_FRAME)
        .max_frame_size(LONGEST_FRAME)
        .write_buffer_size(0)
        .max_write_buffer_size(1 << 22)
        .on_upgrade(async move |socket| match hall.pages.take(asker.0) {
            Some(place) => socket::serve(socket, place, hall).await,
            None => socket::refuse(socket, MOST_PAGES).await,
        })
}
