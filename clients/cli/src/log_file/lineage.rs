//! Comparing forks with the files of their parents.

use std::path::{Path, PathBuf};

use audit::{LogFile, ParentProblem};
use board::printable;
use rules::Games;
use serde_json::{Value, json};

use super::source::read_log_file;

/// The files of `--parent`.
pub(crate) struct Parents(Vec<(PathBuf, LogFile)>);

/// The comparison of a fork with its parent's file.
pub(crate) struct Lineage {
    path: PathBuf,
    problem: Option<ParentProblem>,
}

impl Parents {
    /// Reads the files. Unreadable ones are skipped: verifying them reports the error.
    pub(crate) fn read(paths: &[PathBuf]) -> Self {
        let read = |path: &PathBuf| read_log_file(path).ok().map(|(file, _)| (path.clone(), file));
        Self(paths.iter().filter_map(read).collect())
    }

    /// Compares a fork with its parent; returns `None` if the file is not a fork or no parents are given.
    pub(crate) fn lineage_of(&self, file: &LogFile) -> Option<Lineage> {
        let named = file.parent()?;
        let parent =
            self.0.iter().find(|(_, parent)| parent.header.match_id == named).or_else(|| self.0.first());
        let problem = |parent| file.check_parent(parent, Games::built_in()).err();
        parent.map(|(path, parent)| Lineage { path: path.clone(), problem: problem(parent) })
    }
}

impl Lineage {
    /// Returns whether the fork does not continue its parent.
    pub(crate) fn is_invalid(&self) -> bool {
        self.problem.is_some()
    }

    /// Returns the result as a line of text.
    pub(crate) fn as_text(&self) -> String {
        let path = name(&self.path);
        match &self.problem {
            None => format!("  continues {path}: same hash, same moves up to the fork\n"),
            Some(problem) => format!("  failed (parent), compared with {path}: {problem}\n"),
        }
    }

    /// Returns the result as JSON.
    pub(crate) fn as_json(&self) -> Value {
        let problem = self.problem.map(|problem| problem.to_string());
        let outcome = if self.is_invalid() { "failed" } else { "ok" };
        json!({ "file": name(&self.path), "outcome": outcome, "problem": problem })
    }
}

fn name(path: &Path) -> String {
    printable(&path.display().to_string())
}
