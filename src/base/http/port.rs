//! The port of a web page. The number of connections is limited, so that
//! spectators do not take those that bots need. Client addresses share them
//! fairly, and idle connections are closed.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use axum::{Extension, Router};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

use super::places::{Places, Slot};

/// Connections to the page at the same time, in all and from one network; a
/// browser makes about two.
const MOST_CONNECTIONS: usize = 250;
const MOST_OF_ONE: usize = 200;

/// How long a connection may take to ask for something, and how long it may
/// then take until it asks again.
const ASKING_TIME: Duration = Duration::from_secs(10);

/// How long to wait when the system cannot accept a connection just now.
pub const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// How long what is sent may wait for the other end to take it.
#[cfg(target_os = "linux")]
const TAKING_TIME: Duration = Duration::from_secs(30);

/// The answer to one connection too many.
const NO_PLACE: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n\
    too many connections from your network; try again later\n";

/// A page that is being served.
#[derive(Debug, Clone)]
pub struct Page {
    /// The addresses to open, with their token: at this machine first, then through
    /// each proxy.
    pub addresses: Vec<String>,
}

/// The address of whoever asks, as an extension of each request.
#[derive(Debug, Clone, Copy)]
pub struct Asker(pub IpAddr);

/// Listens on the address; gives the address with its port filled in.
///
/// # Errors
/// If the address cannot be listened on.
pub fn listen(address: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = std::net::TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    let listener = TcpListener::from_std(listener)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Answers whoever connects, for as long as the runtime lives.
pub async fn serve(listener: TcpListener, routes: Router) {
    let places = Places::new(MOST_CONNECTIONS, MOST_OF_ONE);
    loop {
        match listener.accept().await {
            // Out of file descriptors, or the connection is gone again.
            Err(_) => sleep(ACCEPT_PAUSE).await,
            Ok((stream, peer)) => match places.take(peer.ip()) {
                // If it is not heard, the closed connection says enough.
                None => drop(stream.try_write(NO_PLACE)),
                Some(place) => {
                    let routes = routes.clone().layer(Extension(Asker(peer.ip())));
                    tokio::spawn(answer(stream, place, routes));
                }
            },
        }
    }
}

/// Answers what a connection asks until it ends or its place is lost.
async fn answer(stream: TcpStream, mut place: Slot, routes: Router) {
    limit_taking(&stream);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(ASKING_TIME)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(routes))
        .with_upgrades();
    tokio::select! {
        // What went wrong concerns the other end alone.
        _ = connection => {}
        () = place.lost() => {}
    }
}

/// Has the system close the connection when the other end takes nothing.
#[cfg(target_os = "linux")]
fn limit_taking(stream: &TcpStream) {
    // Without it the connection is only closed later.
    let _ = socket2::SockRef::from(stream).set_tcp_user_timeout(Some(TAKING_TIME));
}

#[cfg(not(target_os = "linux"))]
fn limit_taking(_: &TcpStream) {}
