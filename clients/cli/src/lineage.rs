//! Forks beside the files of their parents, and what is told of that.

use std::path::{Path, PathBuf};

use board::printable;
use replay::{LogFile, ParentProblem};
use serde_json::{Value, json};

use crate::log_source::read_file;

/// The files that forks are compared with.
pub(crate) struct Parents(Vec<(PathBuf, LogFile)>);

/// A fork and its parent's file.
pub(crate) struct Lineage {
    path: PathBuf,
    problem: Option<ParentProblem>,
}

impl Parents {
    /// Those that can be read; what is wrong with the others is told where they are verified.
    pub(crate) fn read(paths: &[PathBuf]) -> Self {
        let read = |path: &PathBuf| read_file(path).ok().map(|(file, _)| (path.clone(), file));
        Self(paths.iter().filter_map(read).collect())
    }

    /// How a fork stands to its parent; none of what is no fork, or if no parents are given.
    pub(crate) fn lineage_of(&self, file: &LogFile) -> Option<Lineage> {
        let named = file.parent()?;
        let parent =
            self.0.iter().find(|(_, parent)| parent.header.match_id == named).or_else(|| self.0.first());
        parent.map(|(path, parent)| Lineage { path: path.clone(), problem: file.check_parent(parent).err() })
    }
}

impl Lineage {
    /// Whether the fork is not what it says.
    pub(crate) fn is_wrong(&self) -> bool {
        self.problem.is_some()
    }

    /// A line for people.
    pub(crate) fn as_text(&self) -> String {
        let path = name(&self.path);
        match &self.problem {
            None => format!("  goes on from {path}: same hash, same moves up to there\n"),
            Some(problem) => format!("  wrong (parent), compared with {path}: {problem}\n"),
        }
    }

    /// The same for programs.
    pub(crate) fn as_json(&self) -> Value {
        let problem = self.problem.map(|problem| problem.to_string());
        let outcome = if self.is_wrong() { "failed" } else { "good" };
        json!({ "file": name(&self.path), "outcome": outcome, "problem": problem })
    }
}

fn name(path: &Path) -> String {
    printable(&path.display().to_string())
}
