//! The protocol as tables: its methods, and how each refusal appears on the wire.

mod credentials;
mod deadline;
mod method;
mod refusal_table;
mod status;

pub(crate) use credentials::accepted_credentials;
pub(crate) use deadline::grpc_timeout;
pub(crate) use method::{MethodIndex, MethodKind, RpcMethod, RpcMethods};
pub(crate) use refusal_table::parse_reason;
pub use refusal_table::{ErrorMapping, error_mapping, error_reasons};
pub(crate) use status::{reason_of, to_status};
