//! The rules of `deny.toml` for dependencies, and security advisories about them.

use crate::steps::Steps;
use crate::{child, tools};

/// Checks licences, bans and sources; advisories too if their database can be fetched.
pub(crate) fn check(steps: &mut Steps) {
    let checked = steps.step("Dependencies", || {
        let mut deny = tools::CARGO_DENY.command()?;
        child::run(deny.args(["check", "--hide-inclusion-graph", "bans", "licenses", "sources"]))
    });
    if checked.is_none() {
        return steps.skip("Advisories", "cargo-deny failed");
    }
    let deny = tools::CARGO_DENY.command();
    let fetched = deny.ok().and_then(|mut deny| child::query(deny.args(["fetch", "db"])));
    if fetched.is_none() {
        return steps.skip("Advisories", "NOT checked: their database cannot be fetched");
    }
    steps.step("Advisories", || child::run(tools::CARGO_DENY.command()?.args(["check", "advisories"])));
}
