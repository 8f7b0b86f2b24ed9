//! Serves a web page on a port. The number of connections is limited, so that spectators
//! leave enough for bots. Client networks share them fairly, and idle connections are
//! closed. If all are taken, the network with the most loses its oldest one to a network with
//! fewer; otherwise the oldest connection without an admitted request is closed.

use std::future::ready;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use axum::response::Response;
use axum::{Extension, Router, middleware};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use nix::libc::{EMFILE, ENFILE};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

use super::slots::{ConnectionSlots, Slot};
use crate::mutex::MutexExt as _;

/// The maximum number of open connections, in all and from one network; a browser makes
/// about two.
const MOST_CONNECTIONS: usize = 250;
const MOST_OF_ONE: usize = 200;

/// How long a connection may take to send its first request, and then each further one.
const REQUEST_TIME: Duration = Duration::from_secs(10);

/// How long to wait when the system cannot accept a connection just now.
pub const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The minimum time between two reports that no connection can be accepted.
const REPORT_EVERY: Duration = Duration::from_secs(60);

/// How long sent data may wait for the client to acknowledge it.
#[cfg(target_os = "linux")]
const SEND_TIME: Duration = Duration::from_secs(30);

/// The response to a connection that gets no slot.
const NO_SLOT: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n\
    too many connections from your network; try again later\n";

/// A port that cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}: {cause}{}", advice(.cause))]
pub struct ListenError {
    /// The address and port to listen on.
    pub address: SocketAddr,
    /// The system's error.
    pub cause: io::Error,
}

fn advice(cause: &io::Error) -> &'static str {
    match cause.kind() {
        io::ErrorKind::PermissionDenied => "; use a port above 1023",
        io::ErrorKind::AddrInUse => "; use another port, or port 0 for any free one",
        io::ErrorKind::AddrNotAvailable => {
            "; use an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them"
        }
        _ => "",
    }
}

/// A page that is being served.
#[derive(Debug, Clone)]
pub struct Page {
    /// The addresses to open, with their token: on this machine first, then from others,
    /// then through each proxy.
    pub addresses: Vec<String>,
}

/// The client's address, an extension of each request.
#[derive(Debug, Clone, Copy)]
pub struct ClientAddress(pub IpAddr);

/// Listens on the first of the addresses that is free; returns it with the port filled in.
///
/// # Errors
/// If none of them can be listened on.
pub fn listen(addresses: &[SocketAddr]) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = std::net::TcpListener::bind(addresses)?;
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Serves all connections until the runtime ends.
pub async fn serve(listener: TcpListener, routes: Router) {
    let slots = ConnectionSlots::new(MOST_CONNECTIONS, MOST_OF_ONE);
    loop {
        let (stream, peer) = accept(&listener).await;
        match slots.take_unproved(peer.ip()) {
            // Best effort: the connection is closed anyway.
            None => drop(stream.try_write(NO_SLOT)),
            Some(slot) => {
                let routes = routes.clone().layer(Extension(ClientAddress(peer.ip())));
                let admitted = slot.proof();
                let routes = routes.layer(middleware::map_response(move |it: Response| {
                    if !it.status().is_client_error() {
                        admitted();
                    }
                    ready(it)
                }));
                tokio::spawn(answer(stream, slot, routes));
            }
        }
    }
}

/// Accepts the next connection. Waits while the system has no file descriptor for it, and
/// reports that.
pub async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(cause) => {
                // Otherwise the connection is gone again.
                if let Some(EMFILE | ENFILE) = cause.raw_os_error() {
                    report(&cause);
                }
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Called when no connection can be accepted.
static REPORT: Mutex<Option<fn(&str)>> = Mutex::new(None);

/// When it was called last.
static REPORTED: Mutex<Option<Instant>> = Mutex::new(None);

/// From now on, calls `report` with the reason when no connection can be accepted, at most
/// once a minute.
pub fn on_unaccepted(report: fn(&str)) {
    *REPORT.locked() = Some(report);
}

fn report(cause: &io::Error) {
    let mut last = REPORTED.locked();
    let report = *REPORT.locked();
    if let Some(report) = report
        && last.is_none_or(|last| last.elapsed() >= REPORT_EVERY)
    {
        *last = Some(Instant::now());
        report(&format!(
            "no more connections can be accepted: {cause}; start again with a higher limit on \
             open files (`ulimit -n`)"
        ));
    }
}

/// Answers the requests of a connection until it ends or loses its slot.
async fn answer(stream: TcpStream, mut slot: Slot, routes: Router) {
    limit_send_time(&stream);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(REQUEST_TIME)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes))
        .with_upgrades();
    tokio::select! {
        // An error concerns only the client.
        _ = connection => {}
        () = slot.lost() => {}
    }
}

/// Has the system close the connection when the client stops reading.
#[cfg(target_os = "linux")]
fn limit_send_time(stream: &TcpStream) {
    // If this fails, the connection is only closed later.
    let _ = socket2::SockRef::from(stream).set_tcp_user_timeout(Some(SEND_TIME));
}

#[cfg(not(target_os = "linux"))]
fn limit_send_time(_: &TcpStream) {}
