//! Requests: fields that many of them share, read strictly, and request ids.

pub(crate) mod fields;
mod idempotency;
mod limits;
mod move_input;
pub(crate) mod page_token;

pub(crate) use idempotency::{RequestHash, RequestScope, request_id_reused};
pub(crate) use move_input::MoveInput;
