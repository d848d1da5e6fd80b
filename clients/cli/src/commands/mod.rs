//! The commands, one file each: its arguments, its help, what it does.

pub(crate) mod bot;
pub(crate) mod check;
pub(crate) mod claim;
pub(crate) mod events;
pub(crate) mod games;
pub(crate) mod legal;
pub(crate) mod make_move;
pub(crate) mod new;
pub(crate) mod show;
pub(crate) mod watch;

use uuid::Uuid;

use crate::{
    arguments::{Arguments, Command},
    connection::Service,
    credentials::Session,
    failure::{Exit, Failure},
    output::Output,
    token_store::TokenStore,
};

/// Connects and runs the command.
pub(crate) async fn run(arguments: Arguments, output: Output) -> Result<Exit, Failure> {
    let session = Session {
        service: Service::connect(&arguments.global.server, arguments.global.ca_cert.as_deref()).await?,
        output,
        store: TokenStore::of_user(),
        // An empty variable is how scripts say "none".
        given_token: arguments.global.token.filter(|token| !token.is_empty()),
    };
    match arguments.command {
        Command::Check(command) => return command.run(&session).await,
        Command::Games(command) => command.run(&session).await,
        Command::New(command) => command.run(&session).await,
        Command::Claim(command) => command.run(&session).await,
        Command::Show(command) => command.run(&session).await,
        Command::Legal(command) => command.run(&session).await,
        Command::Move(command) => command.run(&session).await,
        Command::Watch(command) => command.run(&session).await,
        Command::Events(command) => command.run(&session).await,
        Command::Bot(command) => command.run(&session).await,
    }?;
    Ok(Exit::Done)
}

/// A match's id as typed, in the one form that the service uses.
pub(crate) fn match_id(typed: &str) -> Result<String, &'static str> {
    let id = Uuid::try_parse(typed).map_err(|_| "a match's id is a UUID, as `matchbook new` prints it")?;
    Ok(id.hyphenated().to_string())
}

/// An id under which the service knows a repetition of the same call. A secret
/// where a token derives from it: never printed.
fn request_id() -> Option<String> {
    Some(Uuid::new_v4().to_string())
}
