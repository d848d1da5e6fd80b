//! What leaves the service for those who check it, exported logs, signed heads and the feed, tells no viewer more than
//! everything else does.

mod looks;
mod pairs;
mod planted;
