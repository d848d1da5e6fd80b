//! Completions and manual pages of the service.

use std::fs;

use crate::stage::run;

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
fn a_folder_that_does_not_exist_is_named() {
    let (code, _, stderr) = run(&["man", "/no/such/folder"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("/no/such/folder"), "{stderr}");
}
