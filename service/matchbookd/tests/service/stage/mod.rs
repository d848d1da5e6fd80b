//! Fixtures of the service tests: temporary storage, a server in this process or in its own, clients of each
//! protocol, an OTLP collector, and an independent model of Angels and Demons.

mod client;
mod cluster;
pub(crate) mod collector;
mod cutting_proxy;
mod dynamic;
mod http;
mod later_build;
pub(crate) mod masked;
pub(crate) mod masked_log;
mod model;
mod process;
mod receiver;
mod refused;
mod server;
mod skip;
mod storage;
mod trace_tree;

pub(crate) use client::{
    CLAIM_SECRET, Client, GAME, Table, channel_from, claim_secret, connect, connect_from, create_request,
    credential_header, sent, sent_with, submit_request, unfinished,
};
pub(crate) use cluster::Cluster;
pub(crate) use cutting_proxy::CuttingProxy;
pub(crate) use dynamic::grpc_json;
pub(crate) use http::{Answer, Http, body_type};
pub(crate) use later_build::later_build;
pub(crate) use model::{Board, Moves, Piece};
pub(crate) use process::{Process, matchbookd, run};
pub(crate) use receiver::{Received, Receiver, Reply};
pub(crate) use refused::{json_spelling, refused};
pub(crate) use server::Stage;
pub(crate) use skip::{Needed, needed, skipped};
pub(crate) use storage::{Backend, Storage};
pub(crate) use trace_tree::{documented_tree, tree, without_times};
