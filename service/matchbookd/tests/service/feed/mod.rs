//! The feed as auditors and apps read it, over gRPC and REST.

mod order;
mod reader;
mod rest;
mod streams;
