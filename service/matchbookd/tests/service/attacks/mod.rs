//! Attacks of one client on the real program, beside a player who keeps making moves and is never refused.
//! The attacker connects from 127.0.0.2 and the player from 127.0.0.3, which count as two addresses. The
//! memory of the process stays under the limit that `deploy/` sets, which the kernel enforces.

mod changes;
mod credentials;
mod feed;
mod forks;
mod frames;
mod idle_connections;
mod lists;
mod long_pages;
mod many_addresses;
mod missing_messages;
mod move_streams;
mod pages;
mod past_positions;
mod player;
mod repeats;
mod request_bodies;
mod suggestions;
mod unread_responses;

use crate::stage::{Backend, Process, Storage};

/// The attacker's address.
const ATTACKER: &str = "127.0.0.2";

/// The memory limit of a replica, as the deployment writes it and in bytes.
const MEMORY_LIMIT: (&str, u64) = ("limits: {memory: 1Gi}", 1 << 30);

/// How many times as long the attacks last as in their short form, by `MATCHBOOK_ATTACK_SCALE`.
fn scale() -> usize {
    std::env::var("MATCHBOOK_ATTACK_SCALE").map_or(1, |scale| scale.parse().expect("the scale is a number"))
}

/// Starts serving under the memory limit of the deployment. The kernel enforces it, without the rights that a
/// control group takes, and more strictly: what is reserved counts whether it is used or not. What it does
/// not count is the page cache, which the kernel reclaims in a control group, and the program's code.
fn serve(storage: &Storage, more: &[&str]) -> Process {
    let (written, bytes) = MEMORY_LIMIT;
    let deployment = include_str!("../../../../../deploy/kubernetes/base/deployment.yaml");
    assert!(deployment.contains(written), "the deployment has another limit");
    Process::serve_within(bytes, storage, more)
}

/// Asserts that what the process had in memory stayed under the limit of the deployment as well.
#[track_caller]
fn assert_memory(process: &Process) {
    let peak = process.peak_memory();
    println!("peak memory: {} MiB", peak >> 20);
    assert!(peak < MEMORY_LIMIT.1, "{} MiB", peak >> 20);
}

#[tokio::test]
async fn the_kernel_enforces_the_memory_limit() {
    let storage = Storage::here(Backend::Memory).await;
    let process = serve(&storage, &[]);
    assert_eq!(process.limit("Max data size"), Some(MEMORY_LIMIT.1));
    assert_eq!(process.terminate().0, Some(0));
}
