//! The table `service_key`.

use super::row::row;
use super::values::decode_hash;
use crate::{BoundKey, ReadError, RebindOutcome, ServiceIdentity};

row! {
    /// A row that a query returns.
    pub(crate) struct ServiceRow {
        fingerprint: Vec<u8>,
        name: String,
        previous_name: Option<String>,
    }
}

/// Returns the outcome of a change of the key that changed this many rows.
pub(crate) fn rebind_outcome(rows: u64) -> RebindOutcome {
    if rows == 1 { RebindOutcome::Rebound } else { RebindOutcome::OtherKey }
}

impl TryFrom<ServiceRow> for BoundKey {
    type Error = ReadError;

    fn try_from(row: ServiceRow) -> Result<BoundKey, ReadError> {
        let fingerprint = decode_hash(row.fingerprint, "fingerprint")?;
        let service = ServiceIdentity { fingerprint, name: row.name };
        Ok(BoundKey { service, previous_name: row.previous_name })
    }
}
