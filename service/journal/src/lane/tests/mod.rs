//! The lane's own tests: what it does with a store that fails on order.

pub(super) mod samples;
