//! A row of a group's table: a command's name, help and arguments, and the function that runs it.

use clap::{ArgMatches, Args};

use crate::arguments::Global;
use crate::commands::command::{Command, Program};
use crate::failure::{Exit, Failure};
use crate::output::Output;
use crate::session::Session;

/// A command of the program.
pub(super) struct Definition {
    /// Its word on the command line.
    pub name: &'static str,
    about: &'static str,
    augment: fn(clap::Command) -> clap::Command,
    parse: Box<Parse>,
}

type Parse = dyn FnOnce(&ArgMatches) -> Result<Command, clap::Error>;

/// Defines a command that runs connected to the service.
pub(super) fn online<A: Args + 'static, E: Into<Exit>>(
    name: &'static str,
    about: &'static str,
    run: impl AsyncFnOnce(A, &Session) -> Result<E, Failure> + 'static,
) -> Definition {
    local(name, about, async |arguments, global: &Global, output| {
        run(arguments, &Session::connect(global, output).await?).await
    })
}

/// Defines a command that runs on this machine, and connects by itself if it needs the service.
pub(super) fn local<A: Args + 'static, E: Into<Exit>>(
    name: &'static str,
    about: &'static str,
    run: impl AsyncFnOnce(A, &Global, Output) -> Result<E, Failure> + 'static,
) -> Definition {
    define(name, about, async |arguments, global: &Global, output, _| run(arguments, global, output).await)
}

/// Defines a command that describes the program itself.
pub(super) fn describing<A: Args + 'static>(
    name: &'static str,
    about: &'static str,
    run: impl FnOnce(A, clap::Command, Output) -> Result<(), Failure> + 'static,
) -> Definition {
    define(name, about, async |arguments, _: &Global, output, program: Program| {
        run(arguments, program(), output)
    })
}

fn define<A: Args + 'static, E: Into<Exit>>(
    name: &'static str,
    about: &'static str,
    run: impl AsyncFnOnce(A, &Global, Output, Program) -> Result<E, Failure> + 'static,
) -> Definition {
    let parse = |matches: &ArgMatches| Ok(Command::new(A::from_arg_matches(matches)?, run));
    Definition { name, about, augment: A::augment_args, parse: Box::new(parse) }
}

impl Definition {
    /// Returns the command as clap parses and explains it.
    pub(super) fn as_clap(&self) -> clap::Command {
        (self.augment)(clap::Command::new(self.name)).about(self.about)
    }

    /// Reads the command's arguments.
    pub(super) fn parse(self, matches: &ArgMatches) -> Result<Command, clap::Error> {
        (self.parse)(matches)
    }
}
