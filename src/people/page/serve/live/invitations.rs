//! Access to a live game: one guest, by an invitation that works once, and spectators.

use crate::http::AccessToken;

/// What a page is in a live game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Role {
    /// The page of the program's own address.
    Host,
    /// The page that was admitted to the other seat.
    Guest,
    /// A page that only watches.
    Spectator,
}

/// The tokens of a live game.
#[derive(Debug)]
pub(super) struct Invitations {
    /// The invitation to the other seat, until it is used.
    invitation: Option<AccessToken>,
    /// The token of the guest's page.
    guest: Option<AccessToken>,
    spectators: AccessToken,
}

impl Invitations {
    /// Creates an invitation for a guest, and a token for spectators.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub(super) fn new() -> Result<Self, String> {
        Ok(Self {
            invitation: Some(AccessToken::fresh()?),
            guest: None,
            spectators: AccessToken::fresh()?,
        })
    }

    /// Replaces the invitation. The guest who came by the last one loses the seat.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub(super) fn renew(&mut self) -> Result<(), String> {
        self.invitation = Some(AccessToken::fresh()?);
        self.guest = None;
        Ok(())
    }

    /// Whether a text is the unused invitation.
    pub(super) fn is_open(&self, given: &str) -> bool {
        self.invitation
            .as_ref()
            .is_some_and(|token| token.is(given))
    }

    /// Uses up the invitation. Returns the token of the guest's page, or `None` if the text
    /// is not the unused invitation.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub(super) fn accept(&mut self, given: &str) -> Result<Option<AccessToken>, String> {
        if !self.is_open(given) {
            return Ok(None);
        }
        let guest = AccessToken::fresh()?;
        self.invitation = None;
        self.guest = Some(guest.clone());
        Ok(Some(guest))
    }

    /// Whether a guest has accepted the invitation.
    pub(super) const fn is_accepted(&self) -> bool {
        self.guest.is_some()
    }

    /// The role that a token gives.
    pub(super) fn role(&self, given: &str) -> Option<Role> {
        if self.guest.as_ref().is_some_and(|token| token.is(given)) {
            return Some(Role::Guest);
        }
        self.spectators.is(given).then_some(Role::Spectator)
    }

    /// The unused invitation, as text for an address.
    pub(super) fn invitation(&self) -> Option<&str> {
        self.invitation.as_ref().map(AccessToken::as_str)
    }

    /// The token of spectators, as text for an address.
    pub(super) fn spectators(&self) -> &str {
        self.spectators.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invitation_admits_one_guest() {
        let mut all = Invitations::new().unwrap();
        let invitation = all.invitation().unwrap().to_string();
        assert_eq!(all.role(&invitation), None);
        assert!(all.accept("").unwrap().is_none());
        let guest = all.accept(&invitation).unwrap().unwrap();
        assert!(all.accept(&invitation).unwrap().is_none());
        assert_eq!(all.role(guest.as_str()), Some(Role::Guest));
        assert_eq!(all.role(all.spectators()), Some(Role::Spectator));
        all.renew().unwrap();
        assert_eq!(all.role(guest.as_str()), None);
        assert!(!all.is_open(&invitation) && all.invitation().is_some());
    }
}
