//! The walks of `clients/grpcurl`, with the real grpcurl.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::service::{Service, run};

/// The longest argument that Linux passes to a program.
const LONGEST_ARGUMENT: usize = 128 << 10;

/// Runs a walk of that folder on a service that already has matches; all its checks must pass.
#[track_caller]
fn walk(script: &str) {
    let Some(grpcurl) = env::var_os("MATCHBOOK_GRPCURL") else {
        assert!(env::var_os("MATCHBOOK_TEST_REQUIRE_ALL").is_none(), "MATCHBOOK_GRPCURL is not set");
        println!("SKIPPED: MATCHBOOK_GRPCURL is not set");
        return;
    };
    let service = Service::start();
    for _ in 0..7 {
        service.ok(&["new", "angels-and-demons", "--bots", "2", "--skill", "random"]);
    }
    let feed = service.ok(&["feed", "--json", "--no-follow"]);
    assert!(feed.len() > LONGEST_ARGUMENT, "{} bytes", feed.len());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../grpcurl").join(script);
    let mut walk = Command::new(script);
    walk.env("MATCHBOOK_SERVER", service.address()).env("GRPCURL", grpcurl);
    let ran = run(walk);
    assert_eq!(ran.code, 0, "{}\n{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.ends_with("all checks passed\n"), "{}", ran.stdout);
}

#[test]
fn the_walk_plays_a_whole_match() {
    walk("walk.sh");
}

#[test]
fn the_second_walk_covers_clocks_draws_and_rematches() {
    walk("endings.sh");
}
