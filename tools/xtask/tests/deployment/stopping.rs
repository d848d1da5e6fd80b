//! Supervisors wait for the service longer than it takes to stop.

use crate::files::{number, read, value};

/// A reserve after the shutdown timeout, in which the writers commit what is queued.
const RESERVE_S: u64 = 5;

#[test]
fn kubernetes_waits() {
    let deployment = read("deploy/kubernetes/base/deployment.yaml");
    let grace = seconds(&read("deploy/kubernetes/base/kustomization.yaml"), "MATCHBOOK_SHUTDOWN_GRACE=");
    let drain = seconds(&read("deploy/kubernetes/base/kustomization.yaml"), "MATCHBOOK_DRAIN=");
    let timeout = number(&deployment, "terminationGracePeriodSeconds:");
    assert!(timeout >= drain + grace + RESERVE_S, "{timeout} s for {drain} and {grace} s");
}

#[test]
fn compose_waits() {
    let compose = read("deploy/compose.yaml");
    let (_, replica) = compose.split_once("x-replica:").expect("compose.yaml has a replica");
    let grace = seconds(replica, "MATCHBOOK_SHUTDOWN_GRACE:\u{20}");
    let drain = seconds(replica, "MATCHBOOK_DRAIN:\u{20}");
    let timeout = number(replica, "stop_grace_period:");
    assert!(timeout >= drain + grace + RESERVE_S, "{timeout} s for {drain} and {grace} s");
}

#[test]
fn systemd_waits() {
    let grace = seconds(&read("deploy/systemd/matchbookd.env.example"), "MATCHBOOK_SHUTDOWN_GRACE=");
    let timeout = number(&read("deploy/systemd/matchbookd.service"), "TimeoutStopSec=");
    assert!(timeout >= grace + RESERVE_S, "{timeout} s for {grace} s");
}

/// Returns a setting that is written in whole seconds, such as `10s`.
fn seconds(text: &str, key: &str) -> u64 {
    let value = value(text, key);
    let digits = value.strip_suffix('s').unwrap_or_else(|| panic!("{key} {value} is not in seconds"));
    digits.parse().unwrap_or_else(|_| panic!("{key} {value} is not in whole seconds"))
}
