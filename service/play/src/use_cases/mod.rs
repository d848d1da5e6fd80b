//! The service's use cases, one file per call.

mod games;
mod logs;
mod matches;
mod moves;
mod seats;
mod webhooks;
