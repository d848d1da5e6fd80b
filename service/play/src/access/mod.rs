//! Who may know, see and do what in a match: callers' credentials, API keys and seat tokens.

mod api_key;
mod caller;
mod key_ring;
mod party;
mod seat_token;

use rules::Seat;
use wire::v1::{self as proto, ErrorReason};

use crate::Refusal;
use crate::keys::MacKey;
use crate::live::LiveHead;
use crate::refusal::unknown_match;

pub(crate) use party::{Party, not_your_seat};
pub(crate) use seat_token::{SeatToken, TokenGrant, TokenHash, check_repeated_token};

pub use api_key::{ApiKey, ApiKeyError, KEY_PREFIX, Role};
pub use caller::Caller;
pub use key_ring::{KeyRing, KeyRingError};

/// The owner of every match of a service without API keys.
pub(crate) const NO_OWNER: &str = "";

/// Identifies callers and issues seat tokens.
pub(crate) struct AccessControl {
    keys: KeyRing,
    token_key: MacKey,
}

/// A caller's credential, before any match is considered.
#[derive(Clone, Copy)]
pub(crate) enum Credential<'a> {
    None,
    /// A seat's token, not yet compared with any match.
    SeatToken(&'a str),
    Key(&'a ApiKey),
}

impl AccessControl {
    pub(crate) fn new(keys: KeyRing, token_key: MacKey) -> Self {
        Self { keys, token_key }
    }

    /// Returns whether the service runs without API keys, so that no caller needs one.
    pub(crate) fn is_open(&self) -> bool {
        self.keys.is_open()
    }

    /// Reads a caller's credential. An unknown API key is refused even where none is needed.
    pub(crate) fn credential<'a>(&'a self, caller: &'a Caller) -> Result<Credential<'a>, Refusal> {
        match caller.token() {
            None => Ok(Credential::None),
            Some(secret) if secret.starts_with(KEY_PREFIX) => {
                self.keys.find(secret).map(Credential::Key).ok_or_else(|| {
                    Refusal::new(
                        ErrorReason::BadToken,
                        "unknown API key; it may have been removed or belong to another service",
                    )
                })
            }
            Some(token) => Ok(Credential::SeatToken(token)),
        }
    }

    /// Returns the caller's relation to a match. A match that the caller may not know of is refused like one
    /// that does not exist.
    pub(crate) fn party(&self, caller: &Caller, head: &LiveHead) -> Result<Party, Refusal> {
        let private = head.position.visibility() == proto::Visibility::Private;
        match self.credential(caller)? {
            Credential::SeatToken(token) => match seat_of(token, head) {
                Some(seat) => Ok(Party::Seat(seat)),
                None if private => Err(unknown_match()),
                None => Err(Refusal::new(
                    ErrorReason::BadToken,
                    "the token is not valid for this match; send the newest token of one of its seats",
                )),
            },
            Credential::Key(key) if owns(key, head) => Ok(Party::Owner),
            Credential::Key(ApiKey { role: Role::Audit | Role::Admin, .. }) => Ok(Party::OtherKey),
            Credential::None | Credential::Key(_) if private => Err(unknown_match()),
            Credential::Key(_) => Ok(Party::OtherKey),
            Credential::None => Ok(Party::Anonymous),
        }
    }

    /// Returns the owner of the matches that the caller creates; refuses callers that may not create any.
    pub(crate) fn creator(&self, caller: &Caller) -> Result<String, Refusal> {
        match self.credential(caller)? {
            Credential::Key(ApiKey { role: Role::App | Role::Admin, name, .. }) => Ok(name.clone()),
            Credential::Key(key) => Err(wrong_role(key, "cannot create matches", &[Role::App, Role::Admin])),
            Credential::None | Credential::SeatToken(_) if self.is_open() => Ok(NO_OWNER.to_owned()),
            Credential::None | Credential::SeatToken(_) => Err(Refusal::new(
                ErrorReason::MissingKey,
                "creating a match requires an API key; send `authorization: Bearer KEY`",
            )),
        }
    }

    /// Returns the token of a grant, always the same one for the same grant.
    pub(crate) fn seat_token(&self, grant: &TokenGrant) -> String {
        grant.token(&self.token_key)
    }
}

fn owns(key: &ApiKey, head: &LiveHead) -> bool {
    key.role != Role::Audit && key.name == head.registration.registered.owner
}

/// Returns the refusal of an API key whose role does not suffice; `cannot` says for what. Metadata lists the
/// roles that do.
pub(crate) fn wrong_role(key: &ApiKey, cannot: &str, sufficient: &[Role]) -> Refusal {
    let names: Vec<&str> = sufficient.iter().map(|role| role.as_str()).collect();
    let message = format!("an API key of role {} {cannot}; use one of role {}", key.role, names.join(" or "));
    Refusal::new(ErrorReason::NotAllowed, message).with("roles", names.join(","))
}

/// Returns the seat that a token is valid for.
fn seat_of(token: &str, head: &LiveHead) -> Option<Seat> {
    let sent = TokenHash::of(token);
    let mut found = None;
    // Compare with every seat, so that the duration does not depend on the seat.
    for seat in Seat::ALL {
        if head.registration.tokens[seat].hash.is_some_and(|stored| sent.matches(&stored)) {
            found = Some(seat);
        }
    }
    found
}
