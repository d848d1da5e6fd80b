//! Admission control: which calls run, how many, and for how long.

mod caller_streams;
mod layer;
mod rate_limit_key;
mod rate_limiter;
mod stream_end;

pub(crate) use caller_streams::{CallerStreamPermit, CallerStreams};
pub(crate) use layer::AdmissionLayer;
pub(crate) use rate_limit_key::{RateLimitKey, RateLimitKeys};
