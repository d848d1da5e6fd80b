//! Who may know, see and do what in a match.

use rules::{Seat, Viewer};
use wire::v1::{self as proto, ErrorReason};

use crate::api_key::KEY_PREFIX;
use crate::live::Head;
use crate::refusal::unknown_match;
use crate::{ApiKey, Caller, KeyRing, Refusal, Role, token};

/// What a caller's credential is, before any match is looked at.
#[derive(Clone, Copy)]
pub(crate) enum Credential<'a> {
    None,
    /// Good for a seat of some match, or for nothing.
    SeatToken(&'a str),
    Key(&'a ApiKey),
}

/// What a caller is to one match that it may know of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Party {
    /// Somebody without a credential.
    Anonymous,
    /// A player of the match.
    Seat(Seat),
    /// The key that created the match.
    Owner,
    /// Another key: looks on like a spectator.
    OtherKey,
}

/// Reads a caller's credential. A key that is none is refused whatever it was sent for.
pub(crate) fn credential<'a>(keys: &'a KeyRing, caller: &'a Caller) -> Result<Credential<'a>, Refusal> {
    match caller.token() {
        None => Ok(Credential::None),
        Some(secret) if secret.starts_with(KEY_PREFIX) => {
            keys.find(secret).map(Credential::Key).ok_or_else(|| {
                Refusal::new(ErrorReason::BadToken, "this API key is not one of this service, or no longer")
            })
        }
        Some(token) => Ok(Credential::SeatToken(token)),
    }
}

/// What the caller is to this match. A match that it may not know of is as unknown as one that does not exist.
pub(crate) fn party(keys: &KeyRing, caller: &Caller, head: &Head) -> Result<Party, Refusal> {
    let private = head.position.visibility() == proto::Visibility::Private;
    match credential(keys, caller)? {
        Credential::SeatToken(token) => match seat_of(token, head) {
            Some(seat) => Ok(Party::Seat(seat)),
            None if private => Err(unknown_match()),
            None => Err(Refusal::new(
                ErrorReason::BadToken,
                "the token is not one of this match; use the one that ClaimSeat gave",
            )),
        },
        Credential::Key(key) if owns(key, head) => Ok(Party::Owner),
        Credential::Key(ApiKey { role: Role::Audit | Role::Admin, .. }) => Ok(Party::OtherKey),
        Credential::None | Credential::Key(_) if private => Err(unknown_match()),
        Credential::Key(_) => Ok(Party::OtherKey),
        Credential::None => Ok(Party::Anonymous),
    }
}

fn owns(key: &ApiKey, head: &Head) -> bool {
    key.role != Role::Audit && key.name == head.registration.owner
}

/// The seat that a token proves.
fn seat_of(token: &str, head: &Head) -> Option<Seat> {
    let sent = token::hash(token);
    let mut proven = None;
    // Every seat is compared, whether or not one has fitted already.
    for seat in Seat::ALL {
        let stored = head.registration.tokens[seat].hash;
        if stored.is_some_and(|stored| token::equal(&sent, &stored)) {
            proven = Some(seat);
        }
    }
    proven
}

impl Party {
    /// The caller's seat, if it has one.
    pub(crate) fn seat(self) -> Option<Seat> {
        match self {
            Self::Seat(seat) => Some(seat),
            Self::Anonymous | Self::Owner | Self::OtherKey => None,
        }
    }

    /// The seat of a call that only a seat can make.
    pub(crate) fn own_seat(self) -> Result<Seat, Refusal> {
        self.seat().ok_or_else(|| {
            Refusal::new(
                ErrorReason::MissingToken,
                "this call needs a seat's token as metadata: `authorization: Bearer TOKEN`",
            )
        })
    }

    /// Whose eyes the caller looks with. Keys look on like everybody else.
    pub(crate) fn viewer(self) -> Viewer {
        self.seat().map_or(Viewer::Spectator, Viewer::Seat)
    }
}

/// Who may create matches, and whose they are then.
pub(crate) fn creator(keys: &KeyRing, caller: &Caller) -> Result<String, Refusal> {
    match credential(keys, caller)? {
        Credential::Key(ApiKey { role: Role::App | Role::Admin, name, .. }) => Ok(name.clone()),
        Credential::Key(_) => Err(Refusal::new(
            ErrorReason::MissingKey,
            "creating matches needs an API key of the role app or admin",
        )),
        Credential::None | Credential::SeatToken(_) if keys.is_open() => Ok(NO_OWNER.to_owned()),
        Credential::None | Credential::SeatToken(_) => Err(Refusal::new(
            ErrorReason::MissingKey,
            "creating matches needs an app's API key as metadata: `authorization: Bearer KEY`",
        )),
    }
}

/// Without API keys all matches have the same owner, and nobody is it.
pub(crate) const NO_OWNER: &str = "";

/// Something of another seat was asked for.
pub(crate) fn not_your_seat(what: &str) -> Refusal {
    Refusal::new(ErrorReason::NotAllowed, format!("{what} of a seat can be seen with that seat's token only"))
}
