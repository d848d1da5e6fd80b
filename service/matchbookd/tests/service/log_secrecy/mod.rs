//! Exported logs, signed heads and the feed reveal no more to a viewer than the rest of the API.

mod lines;
mod pairs;
mod planted;
