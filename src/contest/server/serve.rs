//! Assembles the parts of the server.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::sync::watch::{Receiver, Sender};

use super::accept::{admit, listen};
use super::latency::Latency;
use super::line_log::LineLog;
use super::live::TournamentView;
use super::results_file::{ResultsFile, ResumedTournament};
use super::tournament::{FinalReport, ServerSettings, Tournament};
use super::watch;
use crate::http::guard::Access;
use crate::http::{ListenError, Page};

/// The maximum number of claims waiting for the tournament.
const WAITING_CLAIMS: usize = 64;

/// A server that listens, but does not accept bots yet.
pub struct Server {
    listener: TcpListener,
    /// The address, with the actual port.
    pub address: SocketAddr,
    /// What spectators can see.
    pub view: Sender<TournamentView>,
    /// The server's own time between an answer and the new state.
    pub latency: Arc<Latency>,
    /// The log of all lines, if there is one.
    pub log: Option<LineLog>,
}

impl Server {
    /// Starts listening. Must run inside a tokio runtime.
    ///
    /// # Errors
    /// If the address cannot be listened on.
    pub fn bind(address: SocketAddr) -> Result<Self, ListenError> {
        let failed = |cause| ListenError { address, cause };
        let listener = listen(address).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self {
            listener,
            address,
            view: Sender::default(),
            latency: Arc::default(),
            log: None,
        })
    }

    /// Serves the web page of the tournament at another address, until the runtime ends.
    ///
    /// # Errors
    /// If the address cannot be listened on.
    pub fn watch(&self, address: SocketAddr, access: Access) -> Result<Page, ListenError> {
        watch::open(address, access, self.view.clone())
            .map_err(|cause| ListenError { address, cause })
    }

    /// Plays a tournament from the start, or resumes one. Setting `stop` calls it off.
    /// `notice` gets messages about who comes and goes.
    pub async fn run(
        self,
        settings: ServerSettings,
        results: ResultsFile,
        resumed: Option<ResumedTournament>,
        stop: Receiver<bool>,
        notice: Box<dyn Fn(&str) + Send>,
    ) -> FinalReport {
        let (claims, heard) = mpsc::channel(WAITING_CLAIMS);
        let mut tournament = Tournament::new(
            settings,
            results,
            self.view.clone(),
            self.latency.clone(),
            stop,
            notice,
        );
        if let Some(resumed) = resumed {
            tournament.resume(resumed);
        }
        let entrance = tokio::spawn(admit(self.listener, claims, self.log));
        let report = tournament.run(heard).await;
        entrance.abort();
        report
    }
}
