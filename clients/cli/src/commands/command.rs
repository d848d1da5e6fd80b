//! The command that was given, as clap reads it from the groups' tables.

use clap::error::ErrorKind;
use clap::{ArgMatches, Args, Error, FromArgMatches, Subcommand};
use futures_util::future::{FutureExt as _, LocalBoxFuture};

use crate::arguments::Global;
use crate::commands::commands;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// A command with its arguments, ready to run.
pub(crate) struct Command(Box<Run>);

type Run = dyn FnOnce(&Global, Output, Program) -> LocalBoxFuture<'_, Result<Exit, Failure>>;

/// Returns the whole command line as clap parses and explains it.
pub(super) type Program = fn() -> clap::Command;

impl Command {
    /// Returns the command whose function runs with these arguments.
    pub(super) fn new<A: Args + 'static, E: Into<Exit>>(
        arguments: A,
        run: impl AsyncFnOnce(A, &Global, Output, Program) -> Result<E, Failure> + 'static,
    ) -> Self {
        Self(Box::new(|global, output, program| {
            async move { run(arguments, global, output, program).await.map(Into::into) }.boxed_local()
        }))
    }

    /// Runs the command of a program.
    pub(crate) async fn run(
        self,
        global: &Global,
        output: Output,
        program: Program,
    ) -> Result<Exit, Failure> {
        (self.0)(global, output, program).await
    }
}

impl FromArgMatches for Command {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let (name, arguments) =
            matches.subcommand().ok_or_else(|| Error::new(ErrorKind::MissingSubcommand))?;
        let command = commands().find(|command| command.name == name);
        command.ok_or_else(|| Error::new(ErrorKind::InvalidSubcommand))?.parse(arguments)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Command {
    fn augment_subcommands(program: clap::Command) -> clap::Command {
        program.subcommands(commands().map(|command| command.as_clap()))
    }

    fn augment_subcommands_for_update(program: clap::Command) -> clap::Command {
        Self::augment_subcommands(program)
    }

    fn has_subcommand(name: &str) -> bool {
        commands().any(|command| command.name == name)
    }
}
