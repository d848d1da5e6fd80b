//! Resources that all callers share: permits, connections, memory. One caller alone can take a part of a
//! resource, never all of it, and neither can one network.

mod account;
mod pool;

pub(crate) use account::{Account, Permit};
pub(crate) use pool::{Exhausted, Pool};
