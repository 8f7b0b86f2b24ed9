//! `santorini analyze --batch`: many positions, each searched by one thread, several at a
//! time.

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::json::report_json;
use super::query::{BatchRequest, Defaults, Query, read};
use super::queue::{Queue, Waiting};
use crate::cli::input::{name_of, open};
use crate::cli::interrupt::stop_flag;
use crate::cli::output::print;
use crate::cli::{CliError, CliResult};
use crate::mutex::MutexExt as _;
use crate::protocol::stream::ValueReader;
use crate::rules::{AnySize, Position};
use crate::search::{Engine, EngineOptions, Report};

/// The interval between checks of Ctrl-C and of the end.
const LOOK: Duration = Duration::from_millis(20);

/// State shared by the input reader and the engines.
struct Shared {
    queue: Queue,
    /// Locked while a line is written.
    output: Mutex<()>,
    /// Why the output cannot be written, or the input cannot be read.
    error: Mutex<Option<CliError>>,
    /// Whether some value of the input was invalid.
    refused: AtomicBool,
}

/// Answers the queries of a file. `options` are those of all engines together.
pub(super) fn run(file: &Path, options: EngineOptions, defaults: Defaults) -> CliResult {
    let input = file.to_path_buf();
    let engines = options.threads.max(1);
    let shared = Arc::new(Shared {
        queue: Queue::default(),
        output: Mutex::new(()),
        error: Mutex::new(None),
        refused: AtomicBool::new(false),
    });
    let stop = stop_flag()?;
    let each = EngineOptions {
        threads: 1,
        hash_mib: (options.hash_mib / engines).max(1),
        ..options
    };
    // Not scoped: on Ctrl-C the reader may wait for input for ever.
    let reader = start(&shared, move |shared| shared.read_all(&input, &defaults))?;
    let mut threads = Vec::new();
    for _ in 0..engines {
        threads.push(start(&shared, move |shared| shared.answer_all(each))?);
    }
    while !threads.iter().all(JoinHandle::is_finished) {
        if let Some(error) = shared.error.locked().take() {
            shared.close_output();
            return Err(error);
        }
        if stop.load(Ordering::Relaxed) {
            shared.queue.interrupt();
        }
        thread::sleep(LOOK);
    }
    if shared.queue.is_interrupted() {
        shared.close_output();
        let unanswered = shared.queue.unanswered();
        let text = format!("; positions without an answer: {unanswered}");
        let error = shared.error.locked().take();
        return Err(error.unwrap_or(CliError::Interrupted(text)));
    }
    threads.push(reader);
    for thread in threads {
        let panicked = |_| CliError::Failed("an engine failed; its query has no answer".into());
        thread.join().map_err(panicked)?;
    }
    if let Some(error) = shared.error.locked().take() {
        return Err(error);
    }
    Ok(match shared.refused.load(Ordering::Relaxed) {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    })
}

fn start(
    shared: &Arc<Shared>,
    work: impl FnOnce(&Shared) + Send + 'static,
) -> Result<JoinHandle<()>, CliError> {
    let shared = shared.clone();
    let started = thread::Builder::new().spawn(move || work(&shared));
    started.map_err(|error| CliError::failed("a thread", error))
}

impl Shared {
    /// Reads all requests of a file.
    fn read_all(&self, file: &Path, defaults: &Defaults) {
        let read = self.try_read(file, defaults);
        self.queue.end();
        read.unwrap_or_else(|error| self.fail(error));
    }

    fn try_read(&self, file: &Path, defaults: &Defaults) -> Result<(), CliError> {
        let mut reader = ValueReader::new(open(file)?);
        let failed = |error| CliError::failed(name_of(file), error);
        while let Some(found) = reader.read().map_err(failed)? {
            match found {
                Err(bad) => self.refuse(&Value::Null, &bad.to_string()),
                Ok(framed) => match read(framed.value, defaults) {
                    Ok(request) => self.take(request),
                    Err((id, why)) => self.refuse(&id, &format!("{}: {why}", framed.at)),
                },
            }
        }
        Ok(())
    }

    fn take(&self, request: BatchRequest) {
        match request {
            BatchRequest::Analyze(query) => {
                let id = query.id.clone();
                if !self.queue.add(*query) {
                    self.refuse(&id, "this id is in use by a query without an answer");
                }
            }
            BatchRequest::Stop(id) => self.queue.stop(&id),
        }
    }

    /// The work of one engine.
    fn answer_all(&self, options: EngineOptions) {
        let (mut five, mut six) = (None, None);
        while let Some(next) = self.queue.next() {
            // One engine at a time: two tables together could exceed --hash.
            match next.query.position {
                AnySize::Five(board) => {
                    six = None;
                    let engine = five.get_or_insert_with(|| Engine::new(options));
                    self.answer(engine, &board, &next);
                }
                AnySize::Six(board) => {
                    five = None;
                    let engine = six.get_or_insert_with(|| Engine::new(options));
                    self.answer(engine, &board, &next);
                }
            }
        }
    }

    fn answer<const N: usize>(
        &self,
        engine: &mut Engine<N>,
        board: &Position<N>,
        Waiting { query, stop }: &Waiting,
    ) {
        // With an empty table the answer does not depend on earlier queries.
        engine.clear();
        let mut written = Instant::now();
        let mut partial = |report: &Report| {
            if query.every.is_some_and(|every| written.elapsed() >= every) {
                written = Instant::now();
                self.write(reply::<N>(query, report, true));
            }
        };
        let report = engine.search_lines(board, query.lines, &query.limits, stop, &mut partial);
        self.queue.done(&query.id);
        self.write(reply::<N>(query, &report, false));
    }

    fn refuse(&self, id: &Value, why: &str) {
        self.refused.store(true, Ordering::Relaxed);
        self.write(json!({ "id": id, "error": why }));
    }

    /// Keeps all threads from writing, so that exiting cuts off no line.
    fn close_output(&self) {
        std::mem::forget(self.output.lock());
    }

    /// Writes a line.
    fn write(&self, line: Value) {
        let _writing = self.output.lock();
        if let Err(error) = print(format_args!("{line}\n")) {
            self.fail(error);
        }
    }

    fn fail(&self, error: CliError) {
        self.error.locked().get_or_insert(error);
    }
}

/// The answer to a query.
fn reply<const N: usize>(query: &Query, report: &Report, partial: bool) -> Value {
    let mut reply = report_json::<N>(report);
    reply["id"] = query.id.clone();
    reply["partial"] = partial.into();
    reply
}
