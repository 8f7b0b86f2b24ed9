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
//! | the questions | `desk.rs` |
//! | who calls the module: a worker, and the page's link to it | `worker.js`, `link.js` |
//! | putting page, scripts and module into one file | `bundle.rs` |

mod desk;

use std::sync::{Mutex, MutexGuard, PoisonError};

use desk::Desk;

#[link(wasm_import_module = "santorini")]
unsafe extern "C" {
    /// Takes an answer: so many bytes of UTF-8 from there on.
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

/// What is kept between questions.
static DESK: Mutex<Option<Desk>> = Mutex::new(None);

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins: to be called once, before anything else.
// SAFETY: nothing else in the module has this name, nor those below.
#[unsafe(no_mangle)]
pub extern "C" fn begin() {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        failed(text.as_ptr(), text.len());
    }));
    *lock(&DESK) = Some(Desk::new());
}

/// Room for a question of so many bytes; the host writes it there, from the
/// address on.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    let mut question = lock(&QUESTION);
    question.clear();
    question.resize(length, 0);
    question.as_mut_ptr()
}

/// Answers the question that was written.
#[unsafe(no_mangle)]
pub extern "C" fn answer() {
    let question = std::mem::take(&mut *lock(&QUESTION));
    let question = String::from_utf8_lossy(&question);
    if let Some(desk) = lock(&DESK).as_mut() {
        desk.answer(&question, &mut |answer| {
            let text = answer.to_string();
            reply(text.as_ptr(), text.len());
        });
    }
}
