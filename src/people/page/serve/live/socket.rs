//! One page at a live game: its requests arrive over a WebSocket, and it gets the whole game
//! after each change. So a page that was away needs nothing else to follow again.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{Message as Frame, WebSocket};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{interval, sleep};

use super::super::socket::{close, ended, sent, sent_frame};
use super::invitations::Role;
use super::session::LiveSession;
use crate::http::slots::Slot;
use crate::page::argument::parse_request;
use crate::protocol::bounded::parse_whole;

/// Longer requests end the connection.
pub(in super::super) const LONGEST_REQUEST: usize = 1 << 12;

/// The maximum parts of a request.
const MOST_PARTS: usize = 32;

/// The least time between two requests of a page.
const REQUEST_PAUSE: Duration = Duration::from_millis(50);

/// How often a page is asked whether it is still there. Together with the limit on unread
/// data this finds pages whose network was lost.
const PING_PAUSE: Duration = Duration::from_secs(15);

/// Another page has the seat now. The page must not connect again by itself.
const REPLACED: u16 = 4001;
/// The page was admitted by a token that is no longer valid.
const REVOKED: u16 = 4003;

/// Follows the live game until the page closes, its place is lost or the server stops.
/// `token` is what the page was admitted by, unless it is the host's.
pub(in super::super) async fn follow(
    mut socket: WebSocket,
    mut place: Slot,
    session: LiveSession,
    (role, token): (Role, Option<String>),
    mut stopped: watch::Receiver<bool>,
) {
    let mut changes = session.follow();
    let presence = session.enter(role);
    let mut pings = interval(PING_PAUSE);
    let mut shown = Value::Null;
    loop {
        changes.mark_unchanged();
        if presence.is_replaced() {
            return close(socket, REPLACED, "another page has this seat").await;
        }
        let is_valid = |token: &String| session.role(token) == Some(role);
        if !token.as_ref().is_none_or(is_valid) {
            return close(socket, REVOKED, "the invitation is no longer valid").await;
        }
        let view = session.view(role);
        if view != shown {
            if !sent(&mut socket, &view).await {
                return;
            }
            shown = view;
        }
        tokio::select! {
            // The sender lives as long as the session, which is held here.
            _ = changes.changed() => {}
            heard = socket.recv() => match heard {
                Some(Ok(Frame::Text(text))) => {
                    if let Err(why) = answer(&session, role, &text)
                        && !sent(&mut socket, &json!({ "error": why })).await
                    {
                        return;
                    }
                    sleep(REQUEST_PAUSE).await;
                }
                Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => {}
                Some(Ok(Frame::Binary(_)) | Err(_)) => {
                    return close(socket, 1009, "the message is too long or invalid").await;
                }
                Some(Ok(Frame::Close(_))) | None => return,
            },
            _ = pings.tick() => {
                if !sent_frame(&mut socket, Frame::Ping(Bytes::new())).await {
                    return;
                }
            }
            () = place.lost() => {
                return close(socket, 1013, "the slot is needed for another network").await;
            }
            () = ended(&mut stopped) => {
                return close(socket, 1001, "the program has ended").await;
            }
        }
    }
}

/// Does what a page asks for.
fn answer(session: &LiveSession, role: Role, text: &str) -> Result<(), String> {
    let value = parse_whole(text, MOST_PARTS).map_err(|error| format!("not JSON: {error}"))?;
    let value = value.ok_or_else(|| format!("a message with more than {MOST_PARTS} parts"))?;
    let is_hosting = matches!(value["do"].as_str(), Some("open" | "invite"));
    if is_hosting && role == Role::Host {
        return session.host(parse_request(value)?);
    }
    session.act(role, parse_request(value)?)
}
