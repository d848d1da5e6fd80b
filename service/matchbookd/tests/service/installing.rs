//! Completions and manual pages of the service.

use std::fs;

use crate::stage::{matchbookd, run};

#[test]
fn manual_pages_and_completions_have_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let (code, _, _) = run(&["man", folder.path().to_str().unwrap()]);
    assert_eq!(code, 0);
    let (_, completions, _) = run(&["completions", "fish"]);
    for command in ["serve", "migrate", "check-rules", "key", "healthcheck"] {
        let page = fs::read_to_string(folder.path().join(format!("matchbookd-{command}.1"))).unwrap();
        assert!(page.contains(".SH NAME"), "{command}");
        assert!(completions.contains(command), "{command}");
    }
}

#[test]
fn a_closed_output_is_reported() {
    for command in [&["key", "new", "--name", "shop", "--role", "app"][..], &["completions", "bash"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = matchbookd(command).stdout(writer).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command:?}: {stderr}");
        assert!(stderr.contains("cannot write to standard output"), "{command:?}: {stderr}");
    }
}

#[test]
fn a_folder_that_does_not_exist_is_named() {
    let (code, _, stderr) = run(&["man", "/no/such/folder"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("/no/such/folder"), "{stderr}");
}
