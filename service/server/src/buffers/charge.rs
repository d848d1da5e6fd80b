//! Bytes in memory that count for a client.

use std::sync::Arc;

use super::budget::ClientBudget;
use crate::admission::{Exhausted, Permit};
use crate::listener::Connection;

/// Counted bytes; they count until it is dropped.
pub(super) struct Charge {
    permit: Permit,
    /// The connection, and how many bytes it may have.
    connection: Option<(Arc<Connection>, usize)>,
    bytes: usize,
}

impl Charge {
    /// Counts bytes, unless they exceed the client's budget.
    pub(super) fn new(client: &ClientBudget, bytes: usize) -> Result<Self, Exhausted> {
        let mut charge = Self::nothing(client);
        charge.grow(bytes)?;
        Ok(charge)
    }

    /// Counts nothing yet.
    pub(super) fn nothing(client: &ClientBudget) -> Self {
        Self { permit: client.account.nothing(), connection: client.connection.clone(), bytes: 0 }
    }

    /// Counts more bytes, unless they exceed the client's budget.
    pub(super) fn grow(&mut self, bytes: usize) -> Result<(), Exhausted> {
        if let Some((connection, max)) = &self.connection
            && connection.buffered().saturating_add(bytes) > *max
        {
            return Err(Exhausted::Share);
        }
        self.permit.grow(bytes)?;
        self.note(bytes);
        Ok(())
    }

    /// Counts more bytes whatever the budget, for what has to be sent in any case.
    pub(super) fn grow_anyway(&mut self, bytes: usize) {
        self.permit.grow_anyway(bytes);
        self.note(bytes);
    }

    /// Counts at most this many bytes from now on.
    pub(super) fn shrink_to(&mut self, bytes: usize) {
        let excess = self.bytes.saturating_sub(bytes);
        self.permit.shrink(excess);
        self.bytes -= excess;
        if let Some((connection, _)) = &self.connection {
            connection.remove_buffered(excess);
        }
    }

    /// Returns the connection that the bytes count for.
    pub(super) fn connection(&self) -> Option<Arc<Connection>> {
        self.connection.as_ref().map(|(connection, _)| Arc::clone(connection))
    }

    fn note(&mut self, bytes: usize) {
        self.bytes += bytes;
        if let Some((connection, _)) = &self.connection {
            connection.add_buffered(bytes);
        }
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if let Some((connection, _)) = &self.connection {
            connection.remove_buffered(self.bytes);
        }
    }
}
