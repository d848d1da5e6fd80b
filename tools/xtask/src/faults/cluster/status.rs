//! What Patroni says about the cluster, and what it is asked to do.

use std::process::Command;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::node::{API_PORT, name};
use crate::{child, tools};

/// The members of a cluster as one of its nodes sees them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClusterStatus {
    /// The 0-based number of the node that is the primary.
    pub(super) primary: Option<usize>,
    /// The number of standbys that replicate from it.
    pub(super) standbys: usize,
    /// Whether commits wait for one of them.
    pub(super) is_synchronous: bool,
}

/// Patroni's answer at `/cluster`.
#[derive(Deserialize)]
struct Members {
    members: Vec<Member>,
}

#[derive(Deserialize)]
struct Member {
    name: String,
    role: String,
    state: String,
}

impl ClusterStatus {
    /// Asks the node at an address.
    pub(super) fn ask(address: &str) -> Result<Self> {
        let text = child::capture(curl()?.arg(format!("http://{address}:{API_PORT}/cluster")))?;
        Self::parse(&text)
    }

    fn parse(text: &str) -> Result<Self> {
        let Members { members } = serde_json::from_str(text).context("Patroni's answer cannot be read")?;
        let is_primary = |member: &&Member| member.role == "leader" && member.state == "running";
        let primary = members.iter().find(is_primary).and_then(|member| number(&member.name));
        // Patroni 3.0 says `running`, later versions `streaming`.
        let follows = |state: &str| state == "running" || state == "streaming";
        let standbys = members.iter().filter(|member| member.role != "leader" && follows(&member.state));
        let standbys = standbys.count();
        let is_synchronous = members.iter().any(|member| member.role == "sync_standby");
        Ok(Self { primary, standbys, is_synchronous })
    }
}

/// Asks the primary at an address to hand over to a standby that has all commits.
pub(super) fn switch_over(address: &str, primary: &str) -> Result<()> {
    let body = format!("{{\"leader\": \"{primary}\"}}");
    let url = format!("http://{address}:{API_PORT}/switchover");
    child::capture(curl()?.args(["--max-time", "60", "--data", &body, &url])).map(drop)
}

fn curl() -> Result<Command> {
    let mut command = Command::new(tools::CURL.path()?);
    command.args(["--silent", "--show-error", "--fail", "--max-time", "3"]);
    Ok(command)
}

fn number(member: &str) -> Option<usize> {
    (0..super::NODES).find(|number| name(*number) == member)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_members_are_read_as_patroni_lists_them() {
        let text = r#"{"members": [
            {"name": "node1", "role": "replica", "state": "starting", "port": 5432, "lag": "unknown"},
            {"name": "node2", "role": "sync_standby", "state": "running", "port": 5432, "lag": 0},
            {"name": "node3", "role": "leader", "state": "running", "port": 5432, "timeline": 2}]}"#;
        let status = ClusterStatus::parse(text).unwrap();
        assert_eq!(status, ClusterStatus { primary: Some(2), standbys: 1, is_synchronous: true });
        let streaming =
            text.replace("\"sync_standby\", \"state\": \"running\"", "\"replica\", \"state\": \"streaming\"");
        let status = ClusterStatus::parse(&streaming).unwrap();
        assert_eq!((status.standbys, status.is_synchronous), (1, false));
        assert!(ClusterStatus::parse("busy").is_err());
    }
}
