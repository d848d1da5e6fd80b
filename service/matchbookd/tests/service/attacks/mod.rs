//! Attacks of one client on the real program, beside a player who keeps making moves and is never refused.
//! The attacker connects from 127.0.0.2 and the player from 127.0.0.3, which count as two addresses. The
//! memory of the process stays under the limit that `deploy/` sets.

mod credentials;
mod feed;
mod forks;
mod idle_connections;
mod lists;
mod missing_messages;
mod pages;
mod past_positions;
mod player;
mod repeats;
mod request_bodies;
mod suggestions;
mod unread_responses;

use crate::stage::Process;

/// The attacker's address.
const ATTACKER: &str = "127.0.0.2";

/// The memory limit of a replica.
const MEMORY_LIMIT: &str = "limits: {memory: 1Gi}";

/// Asserts that the process stayed under the memory limit of the deployment.
#[track_caller]
fn assert_memory(process: &Process) {
    let deployment = include_str!("../../../../../deploy/kubernetes/base/deployment.yaml");
    assert!(deployment.contains(MEMORY_LIMIT), "the deployment has another limit");
    let peak = process.peak_memory();
    println!("peak memory: {} MiB", peak >> 20);
    assert!(peak < 1 << 30, "{} MiB", peak >> 20);
}
