//! The steps of a chore: announced, timed, and listed in a table at the end.

use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::{child, output};

/// The exit code after SIGINT, as shells use it.
const INTERRUPTED: u8 = 130;

/// The steps taken so far.
pub(crate) struct Steps {
    started: Instant,
    done: Vec<Step>,
    overlapping: bool,
}

/// Steps that can run beside others.
pub(crate) struct Job<'a> {
    name: &'static str,
    work: Box<dyn FnOnce(&mut Steps) + Send + 'a>,
}

struct Step {
    name: &'static str,
    duration: Duration,
    outcome: StepOutcome,
}

enum StepOutcome {
    Passed,
    Failed,
    Skipped(String),
}

impl<'a> Job<'a> {
    pub(crate) fn new(name: &'static str, work: impl FnOnce(&mut Steps) + Send + 'a) -> Self {
        Self { name, work: Box::new(work) }
    }

    /// A job of one step with the same name.
    pub(crate) fn step(name: &'static str, work: impl FnOnce() -> Result<()> + Send + 'a) -> Self {
        Self::new(name, move |steps| {
            steps.step(name, work);
        })
    }
}

impl Steps {
    pub(crate) fn new() -> Self {
        Self { started: Instant::now(), done: Vec::new(), overlapping: false }
    }

    /// Runs `work` under the heading `name`. Returns `None` if it fails, after printing the error, or if this
    /// process was asked to stop.
    pub(crate) fn step<T>(&mut self, name: &'static str, work: impl FnOnce() -> Result<T>) -> Option<T> {
        if child::interrupted() {
            self.skip(name, "interrupted");
            return None;
        }
        output::print_line(format_args!("\n==> {name}"));
        let started = Instant::now();
        let result = work();
        let duration = started.elapsed();
        let (outcome, value) = match result {
            Ok(value) => (StepOutcome::Passed, Some(value)),
            Err(error) => {
                output::print_line(format_args!("error: {error:#}"));
                (StepOutcome::Failed, None)
            }
        };
        output::print_line(format_args!("<== {name}: {} in {}", outcome.label(), seconds(duration)));
        self.done.push(Step { name, duration, outcome });
        value
    }

    /// Records a step that does not run, and why.
    pub(crate) fn skip(&mut self, name: &'static str, reason: &str) {
        output::print_line(format_args!("\n==> {name}: SKIPPED: {reason}"));
        let outcome = StepOutcome::Skipped(reason.to_owned());
        self.done.push(Step { name, duration: Duration::ZERO, outcome });
    }

    /// Runs jobs side by side, each on a thread of its own. A job's output is printed when it ends.
    pub(crate) fn side_by_side(&mut self, jobs: Vec<Job<'_>>) {
        let names: Vec<_> = jobs.iter().map(|job| job.name).collect();
        output::print_line(format_args!("\n==> Side by side: {}", names.join(" | ")));
        self.overlapping = true;
        thread::scope(|scope| {
            let (sender, ended) = mpsc::channel();
            for job in jobs {
                let sender = sender.clone();
                scope.spawn(move || {
                    let mut steps = Self::new();
                    let printed = output::buffered(|| (job.work)(&mut steps));
                    // The receiver lives until every job has ended.
                    let _ = sender.send((job.name, steps, printed));
                });
            }
            drop(sender);
            for (name, steps, printed) in ended {
                match printed {
                    Ok(((), text)) => output::print_line(text.trim_end_matches('\n')),
                    Err(error) => drop(self.step(name, || Err::<(), _>(error))),
                }
                self.done.extend(steps.done);
            }
        });
    }

    /// Prints the table. The exit code is 0 only if no step failed and nothing was interrupted.
    pub(crate) fn finish(self) -> ExitCode {
        println!("\n==> Summary");
        for step in &self.done {
            let reason = match &step.outcome {
                StepOutcome::Skipped(reason) => format!(": {reason}"),
                StepOutcome::Passed | StepOutcome::Failed => String::new(),
            };
            println!("{:>10}  {:7}  {}{reason}", seconds(step.duration), step.outcome.label(), step.name);
        }
        let failed = self.done.iter().filter(|step| matches!(step.outcome, StepOutcome::Failed)).count();
        let verdict = match (child::interrupted(), failed) {
            (true, _) => "interrupted".to_owned(),
            (false, 0) => "passed".to_owned(),
            (false, failed) => format!("{failed} of {} steps FAILED", self.done.len()),
        };
        let note = if self.overlapping { " (some steps ran side by side)" } else { "" };
        println!("{:>10}  {verdict}{note}", seconds(self.started.elapsed()));
        match (child::interrupted(), failed) {
            (true, _) => ExitCode::from(INTERRUPTED),
            (false, 0) => ExitCode::SUCCESS,
            (false, _) => ExitCode::FAILURE,
        }
    }
}

impl StepOutcome {
    fn label(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "FAILED",
            Self::Skipped(_) => "skipped",
        }
    }
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    #[test]
    fn every_job_adds_its_steps_to_the_table() {
        let mut steps = Steps::new();
        steps.side_by_side(vec![
            Job::step("passes", || Ok(())),
            Job::new("two", |steps| {
                steps.skip("skipped", "not needed");
                steps.step::<()>("fails", || bail!("broken"));
            }),
        ]);
        let mut labels: Vec<_> = steps.done.iter().map(|step| (step.name, step.outcome.label())).collect();
        labels.sort_unstable();
        assert_eq!(labels, [("fails", "FAILED"), ("passes", "passed"), ("skipped", "skipped")]);
        assert!(steps.overlapping);
    }

    #[test]
    fn a_failed_step_of_a_job_fails_the_run() {
        let side_by_side = |jobs| {
            let mut steps = Steps::new();
            steps.side_by_side(jobs);
            steps.step("afterwards", || Ok(()));
            steps.finish()
        };
        assert_eq!(side_by_side(vec![Job::step("passes", || Ok(()))]), ExitCode::SUCCESS);
        let fails = || Job::step("fails", || bail!("broken"));
        assert_eq!(side_by_side(vec![fails(), Job::step("passes", || Ok(()))]), ExitCode::FAILURE);
        let inside = Job::new("two", |steps| {
            steps.step::<()>("fails", || bail!("broken"));
            steps.step("passes", || Ok(()));
        });
        assert_eq!(side_by_side(vec![inside]), ExitCode::FAILURE);
    }
}
