//! The lane's own tests: what it makes of a store that fails on order.

mod faulty;
mod losing;
mod rolling_back;
