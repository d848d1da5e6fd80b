//! Redaction: the only place that turns events and positions into what a viewer may see. Messages are built
//! field by field, so a new secret stays inside until it is named here.

mod clocks;
mod event;
mod log;
mod position;
