//! The live game of the program: there is one at a time.

use std::sync::{Arc, Mutex, MutexGuard};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::game::{LiveAction, SharedGame};
use super::invitations::{Invitations, Role};
use crate::http::AccessToken;
use crate::mutex::MutexExt as _;
use crate::rules::Card;

/// What the host may do besides playing.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Hosting {
    /// Begins a game. A guest who is connected stays; otherwise there is an invitation.
    Open {
        seat: usize,
        size: usize,
        cards: Option<[Card; 2]>,
    },
    /// Makes another invitation; the guest who came by the last one loses the seat.
    Invite {},
}

/// What each page of the host knows about the live game, even if it shows something else.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
pub(in super::super) struct LiveNews {
    /// Whether there is a game that is not over.
    pub live: bool,
    /// Whether a guest has joined it, or it has begun.
    pub joined: bool,
}

/// The live game, shared by all connections.
#[derive(Debug, Clone)]
pub(in super::super) struct LiveSession(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// The address of the page for other machines, if it can be reached from there.
    address: Option<String>,
    now: Mutex<Now>,
    changes: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Now {
    open: Option<OpenGame>,
    /// The connection that has each seat: the host's, then the guest's.
    players: [Option<u64>; 2],
    spectators: usize,
    /// The number of the next connection.
    next: u64,
}

/// A game, and who may join or watch it.
#[derive(Debug)]
struct OpenGame {
    game: SharedGame,
    host_seat: usize,
    invitations: Invitations,
}

impl LiveSession {
    /// Creates a session without a game.
    pub(in super::super) fn new(address: Option<String>) -> Self {
        Self(Arc::new(Shared {
            address,
            now: Mutex::default(),
            changes: watch::Sender::new(0),
        }))
    }

    fn now(&self) -> MutexGuard<'_, Now> {
        self.0.now.locked()
    }

    fn changed(&self) {
        self.0.changes.send_modify(|changes| *changes += 1);
    }

    /// A channel that reports changes.
    pub(in super::super) fn follow(&self) -> watch::Receiver<u64> {
        self.0.changes.subscribe()
    }

    /// The role that a token gives.
    pub(in super::super) fn role(&self, given: &str) -> Option<Role> {
        let now = self.now();
        now.open.as_ref()?.invitations.role(given)
    }

    /// What the host's pages know about the live game.
    pub(in super::super) fn news(&self) -> LiveNews {
        match &self.now().open {
            Some(open) if !open.game.is_over() => LiveNews {
                live: true,
                joined: open.invitations.is_accepted() || open.game.has_begun(),
            },
            _ => LiveNews::default(),
        }
    }

    /// Whether a text is an unused invitation.
    pub(super) fn is_open(&self, given: &str) -> bool {
        let now = self.now();
        now.open
            .as_ref()
            .is_some_and(|open| open.invitations.is_open(given))
    }

    /// Uses up an invitation. Returns the token of the guest's page, or `None` if the text is
    /// not an unused invitation.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub(super) fn accept(&self, given: &str) -> Result<Option<AccessToken>, String> {
        let guest = match &mut self.now().open {
            None => None,
            Some(open) => open.invitations.accept(given)?,
        };
        self.changed();
        Ok(guest)
    }

    /// Does what the host asks for.
    ///
    /// # Errors
    /// Why it cannot be done.
    pub(super) fn host(&self, request: Hosting) -> Result<(), String> {
        let mut now = self.now();
        let is_guest_here = now.players[1].is_some();
        match (request, &mut now.open) {
            (Hosting::Open { seat: 2.., .. }, _) => return Err("a seat must be 0 or 1".into()),
            (Hosting::Open { seat, size, cards }, open) => {
                let game = SharedGame::new(size, cards)?;
                if let Some(before) = open
                    && before.invitations.invitation().is_none()
                    && !is_guest_here
                {
                    before.invitations.renew()?;
                }
                let invitations = match open.take() {
                    None => Invitations::new()?,
                    Some(before) => before.invitations,
                };
                *open = Some(OpenGame {
                    game,
                    host_seat: seat,
                    invitations,
                });
            }
            (Hosting::Invite {}, Some(open)) => open.invitations.renew()?,
            (Hosting::Invite {}, None) => return Err("there is no live game".into()),
        }
        drop(now);
        self.changed();
        Ok(())
    }

    /// Does what a player asks for.
    ///
    /// # Errors
    /// Why it cannot be done.
    pub(super) fn act(&self, role: Role, action: LiveAction) -> Result<(), String> {
        let mut now = self.now();
        let open = now.open.as_mut().ok_or("there is no live game")?;
        let seat = open.seat(role).ok_or("spectators can only watch")?;
        open.game.act(seat, action)?;
        drop(now);
        self.changed();
        Ok(())
    }

    /// Everything that a page of this role may see.
    pub(super) fn view(&self, role: Role) -> Value {
        let now = self.now();
        let Some(open) = &now.open else {
            return json!({ "live": null });
        };
        let mut view = open.game.view();
        view["role"] = json!(format!("{role:?}").to_lowercase());
        view["seat"] = json!(open.seat(role));
        let mut here = now.players.map(|player| player.is_some());
        if open.host_seat == 1 {
            here.reverse();
        }
        view["here"] = json!(here);
        view["spectators"] = json!(now.spectators);
        if role == Role::Host {
            let invitations = &open.invitations;
            view["host"] = json!({
                "invitation": invitations.invitation(), "watch": invitations.spectators(),
                "address": self.0.address,
            });
        }
        json!({ "live": view })
    }

    /// Takes the place of a role until the value is dropped. A player's earlier page loses it.
    pub(super) fn enter(&self, role: Role) -> Presence {
        let mut now = self.now();
        let number = now.next;
        now.next += 1;
        match role.player() {
            Some(player) => now.players[player] = Some(number),
            None => now.spectators += 1,
        }
        drop(now);
        self.changed();
        Presence {
            session: self.clone(),
            role,
            number,
        }
    }
}

impl OpenGame {
    fn seat(&self, role: Role) -> Option<usize> {
        match role {
            Role::Host => Some(self.host_seat),
            Role::Guest => Some(1 - self.host_seat),
            Role::Spectator => None,
        }
    }
}

impl Role {
    /// The index in [`Now::players`].
    const fn player(self) -> Option<usize> {
        match self {
            Self::Host => Some(0),
            Self::Guest => Some(1),
            Self::Spectator => None,
        }
    }
}

/// A connected page.
#[derive(Debug)]
pub(super) struct Presence {
    session: LiveSession,
    role: Role,
    number: u64,
}

impl Presence {
    /// Whether another page has taken this one's place.
    pub(super) fn is_replaced(&self) -> bool {
        let player = self.role.player();
        player.is_some_and(|player| self.session.now().players[player] != Some(self.number))
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut now = self.session.now();
        match self.role.player() {
            // Another page has the place now.
            Some(player) if now.players[player] != Some(self.number) => return,
            Some(player) => now.players[player] = None,
            None => now.spectators -= 1,
        }
        drop(now);
        self.session.changed();
    }
}
