//! The commands, one file each: its arguments, its help, what it does.

pub(crate) mod abort;
pub(crate) mod bot;
pub(crate) mod check;
pub(crate) mod claim;
pub(crate) mod convert;
pub(crate) mod draw;
pub(crate) mod events;
pub(crate) mod export;
pub(crate) mod feed;
pub(crate) mod fork;
pub(crate) mod games;
pub(crate) mod keys;
pub(crate) mod legal;
pub(crate) mod login;
pub(crate) mod logout;
pub(crate) mod make_move;
pub(crate) mod matches;
pub(crate) mod new;
pub(crate) mod rematch;
pub(crate) mod replay;
pub(crate) mod resign;
pub(crate) mod rotate;
pub(crate) mod show;
pub(crate) mod sign;
pub(crate) mod verify;
pub(crate) mod watch;

mod next_steps;
mod outcome;

use std::fs;

use matchbook_client::Client;
use uuid::Uuid;

use crate::arguments::{Arguments, Command, Global};
use crate::credentials::Session;
use crate::failure::{Exit, Failure};
use crate::key_store::KeyStore;
use crate::output::Output;
use crate::state_file::folder_of_user;
use crate::token_store::TokenStore;

/// Runs the command, connected if it needs that.
pub(crate) async fn run(arguments: Arguments, output: Output) -> Result<Exit, Failure> {
    let Arguments { global, command } = arguments;
    match command {
        Command::Verify(command) => command.run(output),
        Command::Convert(command) => command.run(output).map(|()| Exit::Done),
        Command::Logout(command) => {
            let keys = folder_of_user().as_deref().map(KeyStore::within);
            command.run(&global.server, keys.as_ref(), output).map(|()| Exit::Done)
        }
        Command::Replay(command) => match command.file() {
            Some(path) => command.run_file(&path, output).await.map(|()| Exit::Done),
            None => command.run(&connect(global, output).await?).await.map(|()| Exit::Done),
        },
        command => run_connected(command, &connect(global, output).await?).await,
    }
}

async fn connect(global: Global, output: Output) -> Result<Session, Failure> {
    let folder = folder_of_user();
    let keys = folder.as_deref().map(KeyStore::within);
    Ok(Session {
        service: connection(&global).await?,
        output,
        store: folder.as_deref().map(TokenStore::within),
        keys,
        // An empty variable is how scripts say "none".
        given_token: global.token.filter(|token| !token.is_empty()),
    })
}

async fn connection(global: &Global) -> Result<Client, Failure> {
    let builder = Client::builder(&global.server);
    let builder = match &global.ca_cert {
        None => builder,
        Some(path) => builder.ca_certificate(fs::read(path).map_err(|error| {
            Failure::Usage(format!("--ca-cert {} cannot be read: {error}", path.display()))
        })?),
    };
    Ok(builder.connect().await?)
}

async fn run_connected(command: Command, session: &Session) -> Result<Exit, Failure> {
    match command {
        Command::Check(command) => return command.run(session).await,
        Command::Games(command) => command.run(session).await,
        Command::New(command) => command.run(session).await,
        Command::Claim(command) => command.run(session).await,
        Command::Show(command) => command.run(session).await,
        Command::Legal(command) => command.run(session).await,
        Command::Move(command) => command.run(session).await,
        Command::Draw(command) => command.run(session).await,
        Command::Resign(command) => command.run(session).await,
        Command::Abort(command) => command.run(session).await,
        Command::Rematch(command) => command.run(session).await,
        Command::Fork(command) => command.run(session).await,
        Command::Matches(command) => command.run(session).await,
        Command::Rotate(command) => command.run(session).await,
        Command::Login(command) => command.run(session).await,
        Command::Watch(command) => command.run(session).await,
        Command::Events(command) => command.run(session).await,
        Command::Bot(command) => command.run(session).await,
        Command::Export(command) => command.run(session).await,
        Command::Sign(command) => command.run(session).await,
        Command::Feed(command) => command.run(session).await,
        Command::Keys(command) => command.run(session).await,
        Command::Verify(_) | Command::Convert(_) | Command::Logout(_) | Command::Replay(_) => {
            unreachable!("these were run without a session")
        }
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
