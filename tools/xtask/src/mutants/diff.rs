//! The sampled lines as a diff. The regular expressions of cargo-mutants do not select mutants that delete a
//! field; the lines of a diff do.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::sample::Mutant;

/// Returns a diff that adds exactly the lines with these mutants.
pub(super) fn of_lines(root: &Path, mutants: &[Mutant]) -> Result<String> {
    let mut lines: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for mutant in mutants {
        lines.entry(&mutant.file).or_default().insert(mutant.line);
    }
    let mut diff = String::new();
    for (file, lines) in lines {
        let source = fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
        add_file(&mut diff, file, &source, &lines);
    }
    Ok(diff)
}

fn add_file(diff: &mut String, file: &str, source: &str, lines: &BTreeSet<usize>) {
    let _ = writeln!(diff, "--- a/{file}\n+++ b/{file}");
    let added = (1..).zip(source.lines()).filter(|(number, _)| lines.contains(number));
    for (earlier, (number, text)) in added.enumerate() {
        let before = number - 1 - earlier;
        let _ = writeln!(diff, "@@ -{before},0 +{number},1 @@\n+{text}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_adds_the_lines_and_nothing_else() {
        let mut diff = String::new();
        add_file(&mut diff, "a.rs", "one\ntwo\nthree\nfour\n", &[2, 4].into());
        assert_eq!(diff, "--- a/a.rs\n+++ b/a.rs\n@@ -1,0 +2,1 @@\n+two\n@@ -2,0 +4,1 @@\n+four\n");
    }
}
