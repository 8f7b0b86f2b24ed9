//! One open page: its questions come over a WebSocket, and their answers go
//! back as they are found. Nothing of a page is kept when it is gone, and its
//! searches end.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket};
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc, watch};
use tokio::time::timeout;

use super::Hall;
use crate::http::slots::Slot;
use crate::page::message::refusal;
use crate::page::{Message, Work};

/// Searches of one page, running or waiting.
const MOST_SEARCHES: usize = 4;
/// Answers that wait to be sent. A page that is slower loses parts of its
/// analyses, which the next part makes up for.
const MOST_WAITING: usize = 32;
/// How long the page may take to accept an answer.
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

/// The searches of one page by their numbers.
#[derive(Clone, Default)]
struct Searches(Arc<Mutex<HashMap<u64, Arc<Running>>>>);

impl Searches {
    fn with<T>(&self, look: impl FnOnce(&mut HashMap<u64, Arc<Running>>) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Enters a search.
    fn begin(&self, id: u64) -> Result<Arc<Running>, String> {
        self.with(|running| {
            if running.contains_key(&id) {
                return Err(format!("a search with the id {id} is running"));
            }
            if running.len() >= MOST_SEARCHES {
                return Err(format!(
                    "{MOST_SEARCHES} searches of this page are running; stop one first"
                ));
            }
            let search = Arc::<Running>::default();
            running.insert(id, search.clone());
            Ok(search)
        })
    }

    fn end(&self, id: u64) {
        self.with(|running| running.remove(&id));
    }

    fn stop(&self, id: u64) {
        self.with(|running| running.get(&id).cloned())
            .inspect(|it| it.stop());
    }

    fn stop_all(&self) {
        self.with(|running| running.values().for_each(|it| it.stop()));
    }
}

/// Answers the questions of a page until it is closed, its place is lost or
/// everything is to end.
pub async fn serve(mut socket: WebSocket, mut place: Slot, hall: Hall) {
    let (sender, mut answers) = mpsc::channel::<Value>(MOST_WAITING);
    let searches = Searches::default();
    let mut stopped = hall.stopped.clone();
    loop {
        tokio::select! {
            Some(answer) = answers.recv() => {
                if !sent(&mut socket, &answer).await {
                    break;
                }
            }
            asked = socket.recv() => match asked {
                Some(Ok(Frame::Text(text))) => {
                    let answer = ask(&hall, &searches, &sender, &text).await;
                    // The answer to a search comes by itself.
                    if let Some(answer) = answer
                        && !sent(&mut socket, &answer).await
                    {
                        break;
                    }
                }
                Some(Ok(Frame::Binary(_))) => {
                    if !sent(&mut socket, &refusal(None, "messages are text")).await {
                        break;
                    }
                }
                Some(Ok(Frame::Ping(_) | Frame::Pong(_))) => {}
                Some(Ok(Frame::Close(_))) | None => break,
                Some(Err(_)) => {
                    close(socket, 1009, "a message that is too long, or no message").await;
                    break;
                }
            },
            () = place.lost() => {
                close(socket, 1013, "somebody else needs this place").await;
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

/// Sends an answer; false if the page does not take it in time.
async fn sent(socket: &mut WebSocket, answer: &Value) -> bool {
    let sent = timeout(TAKING_TIME, socket.send(frame(answer))).await;
    matches!(sent, Ok(Ok(())))
}

/// Answers a question at once, or begins a search that will.
async fn ask(
    hall: &Hall,
    searches: &Searches,
    sender: &mpsc::Sender<Value>,
    text: &str,
) -> Option<Value> {
    let message = match Message::read(text) {
        Ok(message) => message,
        Err(refusal) => return Some(refusal),
    };
    if let Some(what) = message.stops() {
        searches.stop(what);
    }
    if message.work() != Work::Quick {
        return match searches.begin(message.id) {
            Err(why) => Some(refusal(Some(message.id), &why)),
            Ok(running) => {
                let search = search(
                    hall.clone(),
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
    // The page's other questions wait meanwhile.
    let _slot = hall.slots.take(Work::Quick).await;
    let desk = hall.desk.clone();
    let id = message.id;
    let never = AtomicBool::new(false);
    let work = move || desk.answer(&message, &never, &mut |_| {});
    let answered = tokio::task::spawn_blocking(work).await;
    Some(answered.unwrap_or_else(|_| failed(id)))
}

/// Searches as soon as there is a slot.
async fn search(
    hall: Hall,
    searches: Searches,
    sender: mpsc::Sender<Value>,
    message: Message,
    running: Arc<Running>,
) {
    let id = message.id;
    let slot = match hall.slots.try_take(message.work()) {
        Some(slot) => Some(slot),
        None => {
            let _ = sender.try_send(message.part(&json!({ "waiting": true })));
            tokio::select! {
                slot = hall.slots.take(message.work()) => Some(slot),
                () = running.stopped.notified() => None,
            }
        }
    };
    let answer = match slot {
        None => refusal(Some(id), "stopped before it began"),
        Some(slot) => {
            let desk = hall.desk.clone();
            let parts = sender.clone();
            let stop = running.clone();
            let work = move || {
                let mut part = |part| drop(parts.try_send(part));
                desk.answer(&message, &stop.stop, &mut part)
            };
            let answered = tokio::task::spawn_blocking(work).await;
            drop(slot);
            answered.unwrap_or_else(|_| failed(id))
        }
    };
    searches.end(id);
    // Only a page that is gone does not get it.
    let _ = sender.send(answer).await;
}

/// The answer to a question that made the program fail. The failure itself is
/// on standard error.
fn failed(id: u64) -> Value {
    refusal(
        Some(id),
        "a fault in the program; it is told where the program runs",
    )
}

/// Tells a page that there are too many.
pub async fn refuse(mut socket: WebSocket, most: usize) {
    let why = format!("{most} pages are open already; close one and load this page again");
    let _ = timeout(TAKING_TIME, socket.send(frame(&refusal(None, &why)))).await;
    close(socket, 1013, "too many pages").await;
}

/// Waits until everything is to end.
async fn ended(stopped: &mut watch::Receiver<bool>) {
    // An error means that nobody can say so any more.
    let _ = stopped.wait_for(|&stop| stop).await;
}

async fn close(mut socket: WebSocket, code: u16, reason: &'static str) {
    let frame = CloseFrame {
        code,
        reason: reason.into(),
    };
    // If it is not heard, the closed connection says enough.
    let _ = timeout(TAKING_TIME, socket.send(Frame::Close(Some(frame)))).await;
}

fn frame(value: &Value) -> Frame {
    Frame::Text(value.to_string().into())
}
