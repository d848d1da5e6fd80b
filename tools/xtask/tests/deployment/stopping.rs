//! Supervisors wait for the service longer than it takes to stop.

use crate::files::{number, read};

/// A reserve after the shutdown timeout, in which the writers commit what is queued.
const RESERVE_S: u64 = 5;

#[test]
fn kubernetes_waits() {
    let deployment = read("deploy/kubernetes/base/deployment.yaml");
    let grace = number(&read("deploy/kubernetes/base/kustomization.yaml"), "MATCHBOOK_SHUTDOWN_GRACE_MS=");
    let drain = number(&read("deploy/kubernetes/base/kustomization.yaml"), "MATCHBOOK_DRAIN_MS=");
    let timeout = number(&deployment, "terminationGracePeriodSeconds:");
    assert!(timeout >= (drain + grace) / 1000 + RESERVE_S, "{timeout} s for {drain} and {grace} ms");
}

#[test]
fn compose_waits() {
    let compose = read("deploy/compose.yaml");
    let (_, replica) = compose.split_once("x-replica:").expect("compose.yaml has a replica");
    let grace = number(replica, "MATCHBOOK_SHUTDOWN_GRACE_MS:\u{20}\"");
    let drain = number(replica, "MATCHBOOK_DRAIN_MS:\u{20}\"");
    let timeout = number(replica, "stop_grace_period:");
    assert!(timeout >= (drain + grace) / 1000 + RESERVE_S, "{timeout} s for {drain} and {grace} ms");
}

#[test]
fn systemd_waits() {
    let grace = number(&read("deploy/systemd/matchbookd.env.example"), "MATCHBOOK_SHUTDOWN_GRACE_MS=");
    let timeout = number(&read("deploy/systemd/matchbookd.service"), "TimeoutStopSec=");
    assert!(timeout >= grace / 1000 + RESERVE_S, "{timeout} s for {grace} ms");
}
