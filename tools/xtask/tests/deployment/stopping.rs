//! Whoever stops the service gives it the time that it asks for.

use crate::files::{number, read};

/// For what comes after the grace: the writers write what is queued and close.
const REST_S: u64 = 5;

#[test]
fn kubernetes_waits() {
    let deployment = read("deploy/kubernetes/base/deployment.yaml");
    let grace = number(&read("deploy/kubernetes/base/kustomization.yaml"), "MATCHBOOK_SHUTDOWN_GRACE_MS=");
    let drain = number(&read("deploy/kubernetes/base/kustomization.yaml"), "MATCHBOOK_DRAIN_MS=");
    let patience = number(&deployment, "terminationGracePeriodSeconds:");
    assert!(patience >= (drain + grace) / 1000 + REST_S, "{patience} s for {drain} and {grace} ms");
}

#[test]
fn compose_waits() {
    let compose = read("deploy/compose.yaml");
    let (_, replica) = compose.split_once("x-replica:").expect("there is a replica");
    let grace = number(replica, "MATCHBOOK_SHUTDOWN_GRACE_MS:\u{20}\"");
    let drain = number(replica, "MATCHBOOK_DRAIN_MS:\u{20}\"");
    let patience = number(replica, "stop_grace_period:");
    assert!(patience >= (drain + grace) / 1000 + REST_S, "{patience} s for {drain} and {grace} ms");
}

#[test]
fn systemd_waits() {
    let grace = number(&read("deploy/systemd/matchbookd.env.example"), "MATCHBOOK_SHUTDOWN_GRACE_MS=");
    let patience = number(&read("deploy/systemd/matchbookd.service"), "TimeoutStopSec=");
    assert!(patience >= grace / 1000 + REST_S, "{patience} s for {grace} ms");
}
