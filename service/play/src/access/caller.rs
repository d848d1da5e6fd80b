//! The caller of a use case, as the transport sees it.

use std::fmt;

/// The credentials of one call.
#[derive(Clone, Default)]
pub struct Caller {
    token: Option<String>,
}

impl Caller {
    /// Returns a caller without a token.
    pub fn anonymous() -> Self {
        Self::default()
    }

    /// Returns a caller that sent `authorization: Bearer TOKEN`.
    pub fn with_token(token: impl Into<String>) -> Self {
        Self { token: Some(token.into()) }
    }

    /// Returns the token as it was sent, unchecked.
    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The token is a secret; logs may only say whether there was one.
        f.debug_struct("Caller").field("has_token", &self.token.is_some()).finish()
    }
}
