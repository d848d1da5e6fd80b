//! Comparison with the files in `tests/golden`. `MATCHBOOK_BLESS=1` rewrites them; review the difference
//! before you commit it.

use std::path::Path;
use std::{env, fs};

/// Asserts that a drawing equals its golden file.
#[track_caller]
pub(crate) fn golden(name: &str, drawn: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if env::var_os("MATCHBOOK_BLESS").is_some() {
        fs::write(&path, drawn).expect("the golden folder is writable");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(drawn, expected, "{name} differs; see MATCHBOOK_BLESS in tests/drawings/golden.rs");
}
