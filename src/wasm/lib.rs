//! The engine of the web page as a WebAssembly module that answers questions.
//!
//! Questions and answers are the JSON texts of the page's protocol. The host calls
//! [`room`], writes a question to that memory and calls [`answer`]. The module then
//! calls the host's `reply`, once or more often. It needs only the host functions
//! declared here, and a clock. The network for games with cards is not in the module: the
//! host passes it to [`begin`] in the same way.
//!
//! | to see or change | look at |
//! |---|---|
//! | the interface of the module | `lib.rs` (here) |
//! | the questions | `../people/page/` |
//! | the callers of the module: a worker, and the page's link to it | `worker.js`, `link.js` |
//! | putting page, scripts and module into one file | `bundle.rs` |
//! | installing the page from a host, offline use | `install.js`, `santorini-worker.js`, `santorini.webmanifest` |

use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use santorini::eval::EvalKind;
use santorini::eval::network::Networks;
use santorini::jobs::NEVER;
use santorini::mutex::MutexExt as _;
use santorini::page::{BackendOptions, PageBackend, PageMessage};
use santorini::search::EngineOptions;
use serde_json::Value;

#[link(wasm_import_module = "santorini")]
unsafe extern "C" {
    /// Receives an answer: `length` bytes of UTF-8 at `start`.
    //
    // SAFETY: the host only reads, and can only reach, the memory of this module.
    safe fn reply(start: *const u8, length: usize);

    /// Receives the message of a panic. The module cannot be used after it.
    //
    // SAFETY: as above.
    safe fn failed(start: *const u8, length: usize);
}

/// The memory that the host writes to: a network, then questions.
static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Answers the questions; set by [`begin`].
static BACKEND: OnceLock<PageBackend> = OnceLock::new();

/// The options of the backend. The strongest level may search for a second: the module has
/// one thread, which nothing else needs meanwhile.
fn options(networks: Networks) -> BackendOptions {
    BackendOptions {
        time: Duration::from_secs(1),
        engine: EngineOptions {
            hash_mib: 64,
            eval: EvalKind::Network(networks),
            ..EngineOptions::default()
        },
    }
}

/// The built-in networks, and the host's if it is not empty.
fn networks(file: &[u8]) -> Networks {
    let built_in = Networks::embedded();
    if file.is_empty() {
        return built_in;
    }
    let networks = built_in.with_file(file);
    networks.unwrap_or_else(|error| panic!("the network for games with cards: {error}"))
}

fn input() -> MutexGuard<'static, Vec<u8>> {
    INPUT.locked()
}

fn send(answer: &Value) {
    let text = answer.to_string();
    reply(text.as_ptr(), text.len());
}

/// Initialises the module; must be called before [`answer`]. The input is the network for
/// games with cards if the host has written one to [`room`]. Without it the base network
/// evaluates these games.
// SAFETY: the names of all exported functions are unique in the module.
#[unsafe(no_mangle)]
pub extern "C" fn begin() {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        failed(text.as_ptr(), text.len());
    }));
    let network = std::mem::take(&mut *input());
    BACKEND.get_or_init(|| PageBackend::new(options(networks(&network)), None));
}

/// Reserves `length` bytes. Returns their address, where the host writes a network or a
/// question.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    let mut input = input();
    input.clear();
    input.resize(length, 0);
    input.as_mut_ptr()
}

/// Answers the question in memory. This cannot be stopped: a host that no longer wants the
/// answer terminates the worker.
#[unsafe(no_mangle)]
pub extern "C" fn answer() {
    let question = std::mem::take(&mut *input());
    let text = String::from_utf8_lossy(&question);
    let backend = BACKEND.get().expect("`begin` was called");
    match PageMessage::read(&text) {
        Ok(message) => send(&backend.answer(&message, &NEVER, &mut |part| send(&part))),
        Err(refusal) => send(&refusal),
    }
}
