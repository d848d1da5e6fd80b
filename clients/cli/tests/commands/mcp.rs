//! `matchbook mcp`, with the client of the Model Context Protocol that hosts use, from PyPI.

use std::env;
use std::path::Path;
use std::process::Command;

use crate::service::{Service, run};

#[test]
fn a_host_plays_a_match_of_every_game_and_sees_no_token() {
    let Some(python) = env::var_os("MATCHBOOK_MCP_PYTHON") else {
        assert!(env::var_os("MATCHBOOK_TEST_REQUIRE_ALL").is_none(), "MATCHBOOK_MCP_PYTHON is not set");
        println!("SKIPPED: MATCHBOOK_MCP_PYTHON is not set");
        return;
    };
    let service = Service::start();
    let mut host = Command::new(python);
    host.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/play_every_game.py"));
    host.arg(env!("CARGO_BIN_EXE_matchbook"));
    host.env("MATCHBOOK_SERVER", format!("http://{}", service.address()));
    host.env("MATCHBOOK_STATE", service.state()).env_remove("MATCHBOOK_TOKEN");
    let ran = run(host);
    assert_eq!(ran.code, 0, "{}\n{}", ran.stdout, ran.stderr);
    for game in ["angels-and-demons", "ludus-magus", "ace-exorcist", "cresnovian-chess"] {
        assert!(ran.stdout.contains(game), "{}", ran.stdout);
    }
}
