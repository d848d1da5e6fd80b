//! Who calls: what the transport knows of a caller before any match is looked at.

use std::fmt;

/// The credentials of one call.
#[derive(Clone, Default)]
pub struct Caller {
    token: Option<String>,
}

impl Caller {
    /// Somebody without a token: a spectator.
    pub fn anonymous() -> Self {
        Self::default()
    }

    /// Somebody who sent `authorization: Bearer TOKEN`.
    pub fn with_token(token: impl Into<String>) -> Self {
        Self { token: Some(token.into()) }
    }

    /// The token as sent, unchecked.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The token is a secret; logs may know that there was one.
        f.debug_struct("Caller").field("has_token", &self.token.is_some()).finish()
    }
}
