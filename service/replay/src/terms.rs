//! The terms that the creator of a match sets.

use wire::log::v1 as log;

use crate::Position;

/// What the creator of a match sets beside its game, visibility and clocks. The first event holds it; a fork
/// has its parent's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenTerms {
    /// Whether no move can be taken back.
    pub forbid_takebacks: bool,
}

impl GivenTerms {
    pub(crate) fn from_log(terms: &log::MatchTerms) -> Self {
        Self { forbid_takebacks: terms.forbid_takebacks }
    }

    /// Returns the terms of the log that these are, without the others.
    pub(crate) fn to_log(&self) -> log::MatchTerms {
        log::MatchTerms { forbid_takebacks: self.forbid_takebacks, ..log::MatchTerms::default() }
    }
}

impl Position {
    /// Returns the terms that the match's creator set.
    pub fn given_terms(&self) -> &GivenTerms {
        &self.created.given
    }
}
