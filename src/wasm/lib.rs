//! The engine of the page, as a module of WebAssembly: questions in, answers out.
//!
//! Questions and answers are the JSON texts of the page's protocol. The host
//! asks for [`room`], writes a question there and calls [`answer`]; meanwhile the
//! module calls `reply` of the host, once or more often. It needs no other
//! function than those of the host that are declared here, and a clock.
//!
//! | to see or change | look at |
//! |---|---|
//! | the interface of the module | `lib.rs` (here) |
//! | the questions | `../people/page/` |
//! | who calls the module: a worker, and the page's link to it | `worker.js`, `link.js` |
//! | putting page, scripts and module into one file | `bundle.rs` |

use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use santorini::page::{BackendOptions, PageBackend, PageMessage};
use serde_json::Value;

#[link(wasm_import_module = "santorini")]
unsafe extern "C" {
    /// Takes an answer of `length` bytes of UTF-8 from `start` on.
    //
    // SAFETY: the host reads only memory of this module, and WebAssembly lets it
    // read no other.
    safe fn reply(start: *const u8, length: usize);

    /// Takes the message of a panic, after which the module is of no more use.
    //
    // SAFETY: as above.
    safe fn failed(start: *const u8, length: usize);
}

/// The question that the host is writing.
static QUESTION: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Who answers.
static BACKEND: OnceLock<PageBackend> = OnceLock::new();

/// There is one thread, and it belongs to nobody else while it waits for an
/// answer of the strongest level.
const OPTIONS: BackendOptions = BackendOptions {
    time: Duration::from_secs(1),
    threads: 1,
    hash_mib: 64,
};

fn question() -> MutexGuard<'static, Vec<u8>> {
    QUESTION.lock().unwrap_or_else(PoisonError::into_inner)
}

fn send(answer: &Value) {
    let text = answer.to_string();
    reply(text.as_ptr(), text.len());
}

/// Begins: to be called before anything else.
// SAFETY: nothing else in the module has this name, nor those below.
#[unsafe(no_mangle)]
pub extern "C" fn begin() {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        failed(text.as_ptr(), text.len());
    }));
    BACKEND.get_or_init(|| PageBackend::new(OPTIONS, None));
}

/// Room for a question of `length` bytes; the host writes it from the address
/// on that this gives.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    let mut question = question();
    question.clear();
    question.resize(length, 0);
    question.as_mut_ptr()
}

/// Answers the question that was written. It cannot be stopped: who does not want
/// the answer any more ends the worker.
#[unsafe(no_mangle)]
pub extern "C" fn answer() {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let question = std::mem::take(&mut *question());
    let text = String::from_utf8_lossy(&question);
    let backend = BACKEND.get_or_init(|| PageBackend::new(OPTIONS, None));
    match PageMessage::read(&text) {
        Ok(message) => send(&backend.answer(&message, &NEVER, &mut |part| send(&part))),
        Err(refusal) => send(&refusal),
    }
}
