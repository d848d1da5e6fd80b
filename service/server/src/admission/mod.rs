//! Admission control: which calls run, how many, and for how long. A new rate limit is a flag in
//! `crate::limits` and an element of the list in `rate_limits`.

mod caller_limits;
mod caller_streams;
mod counted_messages;
mod layer;
mod rate_limit_fields;
mod rate_limit_key;
mod rate_limiter;
mod rate_limits;
mod request_message;
mod shares;
mod stream_end;
mod streamed_calls;
mod turns;

pub(crate) use caller_limits::CallerLimits;
pub(crate) use caller_streams::{CallerStreamPermit, CallerStreams};
pub(crate) use layer::AdmissionLayer;
pub(crate) use rate_limit_fields::{POLICY_FIELD, RateLimitFields, STATE_FIELD};
pub(crate) use rate_limit_key::{LimitSubject, RateLimitKey, RateLimitKeys};
pub(crate) use shares::{Account, Exhausted, Permit, Pool};
pub(crate) use streamed_calls::StreamedCalls;
pub(crate) use turns::ProcessorTurns;
