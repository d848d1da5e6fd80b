//! A chore's steps: announced, timed, and summed up in a table at the end.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::child;

const INTERRUPTED: u8 = 130;

/// What has been done so far.
pub(crate) struct Steps {
    started: Instant,
    done: Vec<Step>,
}

struct Step {
    name: &'static str,
    took: Duration,
    outcome: Outcome,
}

enum Outcome {
    Passed,
    Failed,
    LeftOut(String),
}

impl Steps {
    pub(crate) fn new() -> Self {
        Self { started: Instant::now(), done: Vec::new() }
    }

    /// Does `work` under the heading `name`. `None`: it failed (the error has been printed), or we were stopped.
    pub(crate) fn step<T>(&mut self, name: &'static str, work: impl FnOnce() -> Result<T>) -> Option<T> {
        if child::interrupted() {
            self.leave_out(name, "interrupted");
            return None;
        }
        println!("\n==> {name}");
        let started = Instant::now();
        let result = work();
        let took = started.elapsed();
        let (outcome, value) = match result {
            Ok(value) => (Outcome::Passed, Some(value)),
            Err(error) => {
                println!("error: {error:#}");
                (Outcome::Failed, None)
            }
        };
        println!("<== {name}: {} in {}", outcome.word(), seconds(took));
        self.done.push(Step { name, took, outcome });
        value
    }

    /// Notes a step that is not done, and says so now and in the table.
    pub(crate) fn leave_out(&mut self, name: &'static str, because: &str) {
        println!("\n==> {name}: LEFT OUT: {because}");
        self.done.push(Step { name, took: Duration::ZERO, outcome: Outcome::LeftOut(because.to_owned()) });
    }

    /// Prints the table; the exit code is 0 only if nothing failed and nobody interrupted.
    pub(crate) fn finish(self) -> ExitCode {
        println!("\n==> Summary");
        for step in &self.done {
            let because = match &step.outcome {
                Outcome::LeftOut(because) => format!(": {because}"),
                Outcome::Passed | Outcome::Failed => String::new(),
            };
            println!("{:>10}  {:8}  {}{because}", seconds(step.took), step.outcome.word(), step.name);
        }
        let failed = self.done.iter().filter(|step| matches!(step.outcome, Outcome::Failed)).count();
        let verdict = match (child::interrupted(), failed) {
            (true, _) => "interrupted".to_owned(),
            (false, 0) => "passed".to_owned(),
            (false, failed) => format!("{failed} of {} steps FAILED", self.done.len()),
        };
        println!("{:>10}  {verdict}", seconds(self.started.elapsed()));
        match (child::interrupted(), failed) {
            (true, _) => ExitCode::from(INTERRUPTED),
            (false, 0) => ExitCode::SUCCESS,
            (false, _) => ExitCode::FAILURE,
        }
    }
}

impl Outcome {
    fn word(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "FAILED",
            Self::LeftOut(_) => "left out",
        }
    }
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}
