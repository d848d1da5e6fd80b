//! The memory that clients occupy with requests that are not answered and responses that they have not taken:
//! counted in bytes for each connection, for each address and in all.

mod budget;
mod charge;
mod exchange;
mod received_bytes;
mod request_body;
mod response_body;

pub(crate) use budget::ByteBudget;
pub(crate) use exchange::{ResponseKind, WholeSize};
pub(crate) use received_bytes::{MessageBytes, ReceivedBytes};
