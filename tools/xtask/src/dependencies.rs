//! What deny.toml says of dependencies, and whether there are advisories about them.

use std::process::Command;

use anyhow::Result;

use crate::steps::Steps;
use crate::{child, repository, tools};

/// Licences, bans and sources always; advisories if their database can be had, which lives on the network.
pub(crate) fn check(steps: &mut Steps) {
    let judged = steps.step("Dependencies", || {
        child::run(cargo_deny()?.args(["check", "--hide-inclusion-graph", "bans", "licenses", "sources"]))
    });
    if judged.is_none() {
        return steps.leave_out("Advisories", "cargo-deny has failed, see above");
    }
    let fetched = cargo_deny().ok().and_then(|mut deny| child::ask(deny.args(["fetch", "db"])));
    if fetched.is_none() {
        return steps.leave_out(
            "Advisories",
            "their database can't be fetched from here, so they were NOT looked at",
        );
    }
    steps.step("Advisories", || child::run(cargo_deny()?.args(["check", "advisories"])));
}

fn cargo_deny() -> Result<Command> {
    let mut deny = Command::new(tools::cargo_deny()?);
    deny.current_dir(repository::root());
    Ok(deny)
}
