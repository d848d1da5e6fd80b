//! Requests: fields that many of them share, read strictly, request ids, and pages of lists.

pub(crate) mod fields;
mod idempotency;
pub(crate) mod labels;
mod limits;
mod move_input;
mod page;
mod page_token;
pub(crate) mod player;

pub(crate) use idempotency::{RequestHash, RequestScope, request_id_reused};
pub(crate) use move_input::MoveInput;
pub(crate) use page::Page;
pub(crate) use page_token::{ListTokens, PageTokens};
