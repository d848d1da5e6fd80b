//! Unit tests of the writer, on a store that fails on demand.

mod failing_reads;
mod faulty;
mod losing;
mod rolling_back;
