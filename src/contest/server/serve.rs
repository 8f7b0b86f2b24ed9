//! Puts the parts of the server together.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::sync::watch::Receiver;

use super::entrance::{admit, listen};
use super::latency::Latency;
use super::live::Gallery;
use super::results_file::{ResultsFile, ResultsFileError, Resumed};
use super::tournament::{FinalReport, ServerSettings, Tournament};
use super::watch;
use crate::http::guard::Access;
use crate::http::port::Page;

/// Claims for seats that may wait for the tournament's attention.
const WAITING_CLAIMS: usize = 64;

/// Why a server cannot do its work.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("cannot listen on {address}: {cause}")]
    Listen {
        address: SocketAddr,
        cause: std::io::Error,
    },
    #[error(transparent)]
    Results(#[from] ResultsFileError),
}

/// A server that listens, but does not let anybody in yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    /// What spectators see.
    pub gallery: Arc<Gallery>,
    /// The server's own time between an answer and the new state.
    pub latency: Arc<Latency>,
}

impl Server {
    /// Starts to listen. Runs inside a tokio runtime.
    ///
    /// # Errors
    /// If the address cannot be listened on.
    pub fn bind(address: SocketAddr) -> Result<Self, ServeError> {
        let bound = listen(address).and_then(|listener| {
            let address = listener.local_addr()?;
            Ok((listener, address))
        });
        let (listener, address) = bound.map_err(|cause| ServeError::Listen { address, cause })?;
        Ok(Self {
            listener,
            address,
            gallery: Arc::default(),
            latency: Arc::default(),
        })
    }

    /// The address listened on, its port filled in.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Shows the tournament as a web page at another address, for as long as
    /// the runtime lives, to those who have access.
    ///
    /// # Errors
    /// If the address cannot be listened on.
    pub fn watch(&self, address: SocketAddr, access: Access) -> Result<Page, ServeError> {
        watch::open(address, access, self.gallery.clone())
            .map_err(|cause| ServeError::Listen { address, cause })
    }

    /// Plays a tournament, from the beginning or from where it stood. It is
    /// called off when `stop` becomes true. `notice` is told in words who
    /// comes and goes.
    ///
    /// # Errors
    /// If results cannot be written.
    pub async fn run(
        self,
        settings: ServerSettings,
        results: ResultsFile,
        resumed: Option<Resumed>,
        stop: Receiver<bool>,
        notice: Box<dyn Fn(&str) + Send>,
    ) -> Result<FinalReport, ServeError> {
        let (claims, heard) = mpsc::channel(WAITING_CLAIMS);
        let mut tournament = Tournament::new(
            settings,
            results,
            self.gallery.clone(),
            self.latency.clone(),
            stop,
            notice,
        );
        if let Some(resumed) = resumed {
            tournament.resume(resumed);
        }
        let entrance = tokio::spawn(admit(self.listener, claims));
        let report = tournament.run(heard).await;
        entrance.abort();
        Ok(report?)
    }
}
