//! The protocol as tables: its methods, and how each refusal appears on the wire.

mod error_table;
mod method;
mod status;

pub use error_table::{ErrorMapping, error_mapping, error_reasons};
pub(crate) use method::{MethodIndex, MethodKind, RpcMethod, RpcMethods};
pub(crate) use status::{reason_of, to_status};
