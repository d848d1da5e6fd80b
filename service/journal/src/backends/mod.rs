//! The kinds of databases, one folder each, with its SQL. A new kind is a folder here, its module and its
//! entry in `KINDS`, its migrations in `migrations/`, and its entry in the contract suite's `stores.rs`.

pub(crate) mod memory;
pub(crate) mod postgres;
pub(crate) mod sqlite;

use std::sync::Arc;

use crate::UrlError;
use crate::store::{BackendKind, DatabaseAddress};

/// Every kind, the default first.
const KINDS: [BackendKind; 3] = [sqlite::KIND, postgres::KIND, memory::KIND];

/// Returns the forms of all kinds' URLs.
pub(crate) fn url_forms() -> [&'static str; KINDS.len()] {
    KINDS.map(|kind| kind.form)
}

/// Parses a database URL.
pub(crate) fn parse(url: &str) -> Result<Arc<dyn DatabaseAddress>, UrlError> {
    let has_prefix = |kind: &&BackendKind| kind.prefixes.iter().any(|prefix| url.starts_with(prefix));
    match KINDS.iter().find(has_prefix) {
        Some(kind) => (kind.parse)(url),
        None => Err(UrlError::UnknownScheme { known: url_forms().join(", ") }),
    }
}
