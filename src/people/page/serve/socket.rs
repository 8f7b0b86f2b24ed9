//! One open page: questions arrive over a WebSocket, and answers are sent as they are
//! found. When the page closes, its searches end and nothing of it is kept.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket};
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::timeout;

use super::AppState;
use super::live::LiveNews;
use crate::http::slots::Slot;
use crate::jobs::NEVER;
use crate::mutex::MutexExt as _;
use crate::page::message::{Question, refusal};
use crate::page::{PageMessage, Work};

/// The maximum searches of one page, running or waiting.
const MOST_SEARCHES: usize = 4;
/// The maximum answers waiting to be sent. A slower page loses partial answers, which
/// later ones replace.
const MOST_WAITING: usize = 32;
/// The time for a page to accept an answer.
const TAKING_TIME: Duration = Duration::from_secs(20);

/// A search that can be stopped.
#[derive(Default)]
struct Running {
    stop: AtomicBool,
    stopped: Notify,
}

impl Running {
    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.stopped.notify_one();
    }
}

/// The searches of one page, by id.
#[derive(Clone, Default)]
struct Searches(Arc<Mutex<HashMap<u64, Arc<Running>>>>);

impl Searches {
    /// Registers a search.
    fn begin(&self, id: u64) -> Result<Arc<Running>, String> {
        let mut running = self.0.locked();
        if running.contains_key(&id) {
            return Err(format!("a search with the id {id} is already running"));
        }
        if running.len() >= MOST_SEARCHES {
            return Err(format!(
                "this page already has {MOST_SEARCHES} searches; stop one first"
            ));
        }
        let search = Arc::<Running>::default();
        running.insert(id, search.clone());
        Ok(search)
    }

    fn end(&self, id: u64) {
        self.0.locked().remove(&id);
    }

    fn stop(&self, id: u64) {
        if let Some(search) = self.0.locked().get(&id) {
            search.stop();
        }
    }

    fn stop_all(&self) {
        self.0.locked().values().for_each(|search| search.stop());
    }
}

/// Answers the questions of a page until it is closed, its slot is lost or the server
/// stops.
pub(super) async fn serve(mut socket: WebSocket, mut place: Slot, state: AppState) {
    let (sender, mut answers) = mpsc::channel::<Value>(MOST_WAITING);
    let searches = Searches::default();
    let mut stopped = state.stopped.clone();
    let mut changes = state.live.follow();
    changes.mark_changed();
    let mut told = LiveNews::default();
    loop {
        tokio::select! {
            Some(answer) = answers.recv() => {
                if !sent(&mut socket, &answer).await {
                    break;
                }
            }
            asked = socket.recv() => match asked {
                Some(Ok(Frame::Text(text))) => {
                    let answer = ask(&state, &searches, &sender, &text).await;
                    // A search sends its answer itself.
                    if let Some(answer) = answer
                        && !sent(&mut socket, &answer).await
                    {
                        break;
                    }
                }
                Some(Ok(Frame::Binary(_))) => {
                    if !sent(&mut socket, &refusal(None, "messages must be text")).await {
                        break;
                    }
                }
                Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => {}
                Some(Ok(Frame::Close(_))) | None => break,
                Some(Err(_)) => {
                    close(socket, 1009, "the message is too long or invalid").await;
                    break;
                }
            },
            // Each page of the host hears about the live game.
            Ok(()) = changes.changed(), if state.may_search => {
                let news = state.live.news();
                let mut message = json!(news);
                message["id"] = Value::Null;
                if news != told && !sent(&mut socket, &message).await {
                    break;
                }
                told = news;
            }
            () = place.lost() => {
                close(socket, 1013, "the slot is needed for another network").await;
                break;
            }
            () = ended(&mut stopped) => {
                close(socket, 1001, "the program has ended").await;
                break;
            }
        }
    }
    searches.stop_all();
}

/// Sends an answer. Returns false if the page does not take it in time.
pub(super) async fn sent(socket: &mut WebSocket, answer: &Value) -> bool {
    sent_frame(socket, frame(answer)).await
}

/// Like [`sent`], with any frame.
pub(super) async fn sent_frame(socket: &mut WebSocket, frame: Frame) -> bool {
    let sent = timeout(TAKING_TIME, socket.send(frame)).await;
    matches!(sent, Ok(Ok(())))
}

/// Answers a question at once, or starts a search that will.
async fn ask(
    state: &AppState,
    searches: &Searches,
    sender: &mpsc::Sender<Value>,
    text: &str,
) -> Option<Value> {
    let message = match PageMessage::read(text) {
        Ok(message) => message,
        Err(refusal) => return Some(refusal),
    };
    if let Some(what) = message.stops() {
        searches.stop(what);
    }
    if message.work() != Work::Quick {
        if !state.may_search {
            let why = "guests of a live game get no turns or analysis from the program";
            return Some(refusal(Some(message.id), why));
        }
        return match searches.begin(message.id) {
            Err(why) => Some(refusal(Some(message.id), &why)),
            Ok(running) => {
                let search = search(
                    state.clone(),
                    searches.clone(),
                    sender.clone(),
                    message,
                    running,
                );
                tokio::spawn(search);
                None
            }
        };
    }
    // Meanwhile the page's other questions wait.
    let _slot = state.slots.take(Work::Quick).await;
    let backend = state.backend.clone();
    let id = message.id;
    let is_hello = matches!(message.question, Question::Hello {});
    let work = move || backend.answer(&message, &NEVER, &mut |_| {});
    let answered = tokio::task::spawn_blocking(work).await;
    let mut answer = answered.unwrap_or_else(|_| failed(id));
    // The host can go back to a live game.
    if is_hello
        && state.may_search
        && let Some(hello) = answer.get_mut("ok")
    {
        let LiveNews { live, joined } = state.live.news();
        hello["live"] = json!(live);
        hello["joined"] = json!(joined);
    }
    Some(answer)
}

/// Searches as soon as a slot is free.
async fn search(
    state: AppState,
    searches: Searches,
    sender: mpsc::Sender<Value>,
    message: PageMessage,
    running: Arc<Running>,
) {
    let id = message.id;
    let slot = match state.slots.try_take(message.work()) {
        Some(slot) => Some(slot),
        None => {
            let _ = sender.try_send(message.part(&json!({ "waiting": true })));
            tokio::select! {
                slot = state.slots.take(message.work()) => Some(slot),
                () = running.stopped.notified() => None,
            }
        }
    };
    let answer = match slot {
        None => refusal(Some(id), "stopped before it started"),
        Some(slot) => {
            let backend = state.backend.clone();
            let parts = sender.clone();
            let stop = running.clone();
            let work = move || {
                let mut part = |part| drop(parts.try_send(part));
                backend.answer(&message, &stop.stop, &mut part)
            };
            let answered = tokio::task::spawn_blocking(work).await;
            drop(slot);
            answered.unwrap_or_else(|_| failed(id))
        }
    };
    searches.end(id);
    // Sending fails only if the page is gone.
    let _ = sender.send(answer).await;
}

/// The answer after a panic. The panic message is on standard error.
fn failed(id: u64) -> Value {
    refusal(
        Some(id),
        "internal error; the program's standard error has the details",
    )
}

/// Refuses a page because too many are open.
pub(super) async fn refuse(mut socket: WebSocket, most: usize) {
    let why = format!("{most} pages are open; close one and reload this page");
    let _ = timeout(TAKING_TIME, socket.send(frame(&refusal(None, &why)))).await;
    close(socket, 1013, "too many pages").await;
}

/// Waits until the server stops.
pub(super) async fn ended(stopped: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone.
    let _ = stopped.wait_for(|&stop| stop).await;
}

pub(super) async fn close(mut socket: WebSocket, code: u16, reason: &'static str) {
    let frame = CloseFrame {
        code,
        reason: reason.into(),
    };
    // If this fails, the closed connection must do.
    let _ = timeout(TAKING_TIME, socket.send(Frame::Close(Some(frame)))).await;
}

fn frame(value: &Value) -> Frame {
    Frame::Text(value.to_string().into())
}
