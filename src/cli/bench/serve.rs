//! `santorini bench serve`: games a minute of the tournament server, and how fast it
//! answers.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::bot::{ServerMessage, Strategy};
use crate::cli::CliError;
use crate::cli::output::print;
use crate::cli::progress::Progress;
use crate::server::{FinalReport, Latency, ResultsFile, Server, ServerSettings, Terms};

/// Measures a round robin of `bots` random bots over loopback.
///
/// # Errors
/// If no port is free, or a bot cannot finish.
pub(super) fn run(bots: usize, interrupt: &AtomicBool) -> Result<(), CliError> {
    let failed = |error: &dyn std::fmt::Display| CliError::failed("bench serve", error);
    // The server and its bots have separate threads, as in a real tournament.
    let serving = Builder::new_multi_thread().enable_all().build();
    let serving = serving.map_err(|error| failed(&error))?;
    let playing = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    let playing = playing.map_err(|error| failed(&error))?;

    let server = serving.block_on(async { Server::bind(SocketAddr::from(([127, 0, 0, 1], 0))) });
    let server = server.map_err(|error| failed(&error))?;
    let own_time = server.latency.clone();
    let round_trip = Arc::<Latency>::default();
    let address = server.address;
    let (end, stop) = watch::channel(false);
    let start = Instant::now();
    let report = serving.spawn(server.run(
        settings(bots),
        ResultsFile::none(),
        None,
        stop,
        Box::new(|_| {}),
    ));
    let progress = Progress::new(None, format!("playing with {bots} bots"));
    let played = playing.block_on(async {
        tokio::select! {
            played = play_all(bots, address, &round_trip) => Some(played),
            () = raised(interrupt) => None,
        }
    });
    let Some(played) = played else {
        // The server must end its games first: dropping the runtime under them panics.
        end.send_replace(true);
        let _ = serving.block_on(report);
        return Err(CliError::Interrupted(format!(
            " after {} answers in {:.1} s",
            own_time.count(),
            start.elapsed().as_secs_f64()
        )));
    };
    played.map_err(|error| failed(&error))?;
    let time = start.elapsed();
    progress.finish();
    let report = serving.block_on(report).map_err(|error| failed(&error))?;
    show(&report, time, &own_time, &round_trip)
}

/// Waits until the flag is set.
async fn raised(flag: &AtomicBool) {
    while !flag.load(Ordering::Relaxed) {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

const fn settings(bots: usize) -> ServerSettings {
    ServerSettings {
        bots: Some(bots),
        wait: None,
        rounds: 1,
        terms: Terms {
            answer_time: Duration::from_secs(10),
            tries: 1,
        },
        return_time: Duration::from_secs(10),
        watched: false,
    }
}

async fn play_all(bots: usize, server: SocketAddr, round_trip: &Arc<Latency>) -> io::Result<()> {
    let mut playing = JoinSet::new();
    for number in 0..bots {
        playing.spawn(play(number, server, round_trip.clone()));
    }
    while let Some(played) = playing.join_next().await {
        played.map_err(io::Error::other)??;
    }
    Ok(())
}

/// One random bot, to the final table.
async fn play(number: usize, server: SocketAddr, round_trip: Arc<Latency>) -> io::Result<()> {
    let name = format!("random {number}");
    let mut strategy = Strategy::random(Some(number as u64));
    let mut stream = TcpStream::connect(server).await?;
    stream.set_nodelay(true)?;
    let (input, mut output) = stream.split();
    let mut lines = BufReader::new(input).lines();
    output.write_all(format!("{name}\n").as_bytes()).await?;
    let mut sent: Option<Instant> = None;
    while let Some(line) = lines.next_line().await? {
        if let Some(sent) = sent.take() {
            round_trip.add(sent.elapsed());
        }
        let seen = match ServerMessage::read(&line, &name).map_err(io::Error::other)? {
            ServerMessage::State(seen) if seen.named => seen,
            ServerMessage::State(_) => continue,
            ServerMessage::Remark(remark) if remark.starts_with("final table: ") => return Ok(()),
            ServerMessage::Remark(remark) => return Err(io::Error::other(remark)),
        };
        if let Some(answer) = strategy.answer(&seen).map_err(io::Error::other)? {
            sent = Some(Instant::now());
            output.write_all(format!("{answer}\n").as_bytes()).await?;
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

fn show(
    report: &FinalReport,
    time: Duration,
    own_time: &Latency,
    round_trip: &Latency,
) -> Result<(), CliError> {
    let [games, _] = report.games;
    let seconds = time.as_secs_f64();
    print(format_args!(
        "bots            {}\n\
         games           {games}\n\
         answers         {}\n\
         time            {seconds:.1} s\n\
         games a minute  {:.0}\n\
         the server's own time from an answer's arrival to the state's departure\n{}\
         a bot's time from its answer to the new state\n{}",
        report.standings.0.len(),
        own_time.count(),
        games as f64 * 60.0 / seconds,
        quantiles(own_time),
        quantiles(round_trip)
    ))
}

fn quantiles(latency: &Latency) -> String {
    let line = |share: f64| {
        let milliseconds = latency.quantile(share).as_secs_f64() * 1e3;
        format!("  {:>4} % within  {milliseconds:.3} ms\n", share * 100.0)
    };
    [0.5, 0.99, 0.999].map(line).concat()
}
