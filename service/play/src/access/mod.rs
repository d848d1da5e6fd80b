//! Who may know, see and do what in a match: callers' credentials, API keys and seat tokens.

mod api_key;
mod caller;
mod claim_secret;
mod key_ring;
mod party;
mod requested_viewer;
mod seat_token;

use event::Seat;
use wire::v1::{self as proto, ErrorReason};

use crate::Refusal;
use crate::live::LiveHead;
use crate::refusal::{Credential, unknown_match};
use crate::registration::Registration;
use party::KeyRelation;

pub(crate) use claim_secret::ClaimSecret;
pub(crate) use party::{Party, not_your_seat};
pub(crate) use requested_viewer::requested_viewer;
pub(crate) use seat_token::{SeatToken, TokenGrant, TokenHash};

pub use api_key::{ApiKey, ApiKeyError, KEY_PREFIX, Role};
pub use caller::{Caller, ShareHolder};
pub use key_ring::{KeyRing, KeyRingError};
pub use seat_token::{SEAT_TOKEN_PREFIX, SeatTokens, TokenHolder};

/// The owner of every match of a service without API keys.
pub(crate) const NO_OWNER: &str = "";

/// Identifies callers and issues seat tokens.
pub(crate) struct AccessControl {
    keys: KeyRing,
    tokens: SeatTokens,
}

impl AccessControl {
    pub(crate) fn new(keys: KeyRing, tokens: SeatTokens) -> Self {
        Self { keys, tokens }
    }

    /// Returns what tells whose a seat's token is.
    pub(crate) fn seat_tokens(&self) -> SeatTokens {
        self.tokens.clone()
    }

    /// Returns whether the service runs without API keys, so that no caller needs one.
    pub(crate) fn is_open(&self) -> bool {
        self.keys.is_open()
    }

    /// Returns whether an API key of this name may own matches, and so have their events sent.
    pub(crate) fn has_owner(&self, name: &str) -> bool {
        self.keys.has_owner(name)
    }

    /// Returns the caller's API key, if it sent one. An unknown one is refused even where none is needed.
    pub(crate) fn key(&self, caller: &Caller) -> Result<Option<&ApiKey>, Refusal> {
        let Some(secret) = caller.key() else { return Ok(None) };
        self.keys.find(secret).map(Some).ok_or_else(|| {
            let message = if self.is_open() {
                "this service has no API keys, so none is needed: send no `authorization` header"
            } else {
                "unknown API key; it may have been removed or belong to another service: send one that this \
                 service has, or none"
            };
            Refusal::bad_credential(Credential::ApiKey, message)
        })
    }

    /// Returns the caller's relation to a match: the union of what its API key and its seat's token give. A
    /// match that the caller may not know of is refused like one that does not exist.
    pub(crate) fn party(&self, caller: &Caller, head: &LiveHead) -> Result<Party, Refusal> {
        let key = self.key_relation(caller, head)?;
        let seat = caller.seat_token_hash().map(|sent| seat_of(sent, &head.registration));
        let public = head.position.visibility() != proto::Visibility::Private;
        let knows = public || matches!(key, KeyRelation::Owner | KeyRelation::Overseer);
        match seat {
            Some(Some(seat)) => Ok(Party { seat: Some(seat), key }),
            _ if !knows => Err(unknown_match()),
            Some(None) => Err(Refusal::bad_credential(
                Credential::SeatToken,
                "the token is not valid for this match; send the newest token of one of its seats",
            )),
            None => Ok(Party { seat: None, key }),
        }
    }

    /// Returns the relation to a rematch of a caller that sent a seat's token of the match before it. It may
    /// know of the rematch.
    pub(crate) fn party_of_player_before(
        &self,
        caller: &Caller,
        rematch: &LiveHead,
    ) -> Result<Party, Refusal> {
        Ok(Party { seat: None, key: self.key_relation(caller, rematch)? })
    }

    /// Returns the seat whose token the caller sent, if it is one of this match.
    pub(crate) fn seat_held(&self, caller: &Caller, registration: &Registration) -> Option<Seat> {
        seat_of(caller.seat_token_hash()?, registration)
    }

    fn key_relation(&self, caller: &Caller, head: &LiveHead) -> Result<KeyRelation, Refusal> {
        Ok(match self.key(caller)? {
            None => KeyRelation::NoKey,
            Some(key) if key.owns(&head.registration.registered) => KeyRelation::Owner,
            Some(key) if key.sees_every_match() => KeyRelation::Overseer,
            Some(_) => KeyRelation::Other,
        })
    }

    /// Returns whether the caller's API key may see what the owner of a match noted about it and its players.
    pub(crate) fn sees_notes(&self, caller: &Caller, registration: &Registration) -> bool {
        let key = caller.key().and_then(|secret| self.keys.find(secret));
        key.is_some_and(|key| key.sees_notes(&registration.registered))
    }

    /// Returns whether the caller may know of a private match with this registration.
    pub(crate) fn may_know(&self, caller: &Caller, registration: &Registration) -> bool {
        let key = caller.key().and_then(|secret| self.keys.find(secret));
        key.is_some_and(|key| key.owns(&registration.registered) || key.sees_every_match())
            || self.seat_held(caller, registration).is_some()
    }

    /// Returns the owner of the matches that the caller creates; refuses callers that may not create any.
    pub(crate) fn creator(&self, caller: &Caller) -> Result<String, Refusal> {
        match self.key(caller)? {
            Some(key) if key.creates_matches() => Ok(key.name.clone()),
            Some(key) => Err(wrong_role(key, "cannot create matches", &[Role::App, Role::Admin])),
            None if self.is_open() => Ok(NO_OWNER.to_owned()),
            None => Err(Refusal::new(
                ErrorReason::MissingKey,
                "creating a match requires an API key; send `authorization: Bearer KEY`",
            )),
        }
    }

    /// Returns the token of a grant, always the same one for the same grant.
    pub(crate) fn seat_token(&self, grant: &TokenGrant<'_>) -> String {
        grant.token(&self.tokens)
    }

    /// Returns the token that a retry of the granting call gets: the original one if the retry proves the
    /// same secret and the token is still the seat's newest, otherwise none.
    pub(crate) fn repeated_token(&self, registration: &Registration, grant: &TokenGrant<'_>) -> String {
        let current = registration.tokens[grant.seat];
        let token = self.seat_token(grant);
        let same = current.hash.is_some_and(|stored| TokenHash::of(&token).matches(&stored));
        if same && current.generation == grant.generation { token } else { String::new() }
    }
}

/// Returns the refusal of an API key whose role does not suffice; `cannot` says for what. Metadata lists the
/// roles that do.
pub(crate) fn wrong_role(key: &ApiKey, cannot: &str, sufficient: &[Role]) -> Refusal {
    let names: Vec<&str> = sufficient.iter().map(|role| role.as_str()).collect();
    let message = format!("an API key of role {} {cannot}; use one of role {}", key.role, names.join(" or "));
    Refusal::new(ErrorReason::NotAllowed, message).with("roles", names.join(","))
}

/// Returns the seat that a token is valid for.
fn seat_of(sent: TokenHash, registration: &Registration) -> Option<Seat> {
    let mut found = None;
    // Compare with every seat, so that the duration does not depend on the seat.
    for (seat, token) in registration.tokens.iter() {
        if token.hash.is_some_and(|stored| sent.matches(&stored)) {
            found = Some(seat);
        }
    }
    found
}
