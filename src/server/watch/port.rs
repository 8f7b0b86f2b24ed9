//! The page's port: so many connections and no more, so that spectators
//! cannot take the connections that bots need.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::serve::Listener;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Connections to the page at the same time; a browser makes about two.
const MOST_CONNECTIONS: usize = 250;

/// A page that is being served.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// Where it is, its port filled in.
    pub address: SocketAddr,
}

/// The port that spectators connect to.
pub struct Port {
    listener: TcpListener,
    free: Arc<Semaphore>,
}

impl Port {
    /// Listens on the address; gives the address with its port filled in.
    ///
    /// # Errors
    /// If the address cannot be listened on.
    pub fn listen(address: SocketAddr) -> io::Result<(Self, SocketAddr)> {
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let listener = TcpListener::from_std(listener)?;
        let address = listener.local_addr()?;
        let free = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        Ok((Self { listener, free }, address))
    }
}

impl Listener for Port {
    type Io = Counted;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Counted, SocketAddr) {
        loop {
            // More connections than are allowed wait in the system's queue.
            let permit = self.free.clone().acquire_owned().await;
            let (stream, peer) = Listener::accept(&mut self.listener).await;
            if let Ok(permit) = permit {
                let _permit = permit;
                return (Counted { stream, _permit }, peer);
            }
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A connection that is counted as long as it lasts.
pub struct Counted {
    stream: TcpStream,
    _permit: OwnedSemaphorePermit,
}

impl AsyncRead for Counted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Counted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
