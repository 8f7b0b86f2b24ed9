//! Noticing that the machine at the other end of a TCP connection has vanished.

use std::io;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};

/// Makes the system end a connection whose other end has not answered for 30 seconds.
///
/// # Errors
/// If the system refuses to set the socket's options.
pub(crate) fn keep_alive(socket: SockRef<'_>) -> io::Result<()> {
    let settings = TcpKeepalive::new()
        .with_time(Duration::from_secs(15))
        .with_interval(Duration::from_secs(5))
        .with_retries(3);
    socket.set_tcp_keepalive(&settings)
}
