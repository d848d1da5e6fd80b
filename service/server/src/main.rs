//! The program `matchbookd`: reads its command line, does one thing, and ends with a code that says how it went.

mod arguments;
mod check_rules;

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

use mimalloc::MiMalloc;
use play::ApiKey;
use sd_notify::NotifyState;
use serde_json::json;
use server::signals::StopSignals;
use server::telemetry::{Otlp, Traces};
use server::{Config, ExitStatus, Question, Server, telemetry};

use arguments::{
    Asked, Command, HealthcheckArguments, KeyCommand, LogArguments, MigrateArguments, NewKeyArguments,
    RotateKeyArguments, ServeArguments,
};

/// A call is some hundred small allocations, often freed by another thread than the one that made them.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    let asked = arguments::read().map_err(|text| Failure::new(ExitStatus::Usage, &text));
    let done = match asked {
        Ok(Asked::Command(command)) => run(command).await,
        Ok(Asked::Print(text)) => print(&text),
        Err(failure) => Err(failure),
    };
    match done {
        Ok(()) => ExitStatus::Done.into(),
        Err(Failure { status, text }) => {
            eprintln!("matchbookd: {text}");
            status.into()
        }
    }
}

async fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(arguments) => serve(*arguments).await,
        Command::Migrate(arguments) => migrate(arguments).await,
        Command::CheckRules(arguments) => check_rules::run(arguments).await,
        Command::Key(KeyCommand::New(arguments)) => new_key(&arguments),
        Command::Key(KeyCommand::Rotate(arguments)) => rotate_key(*arguments).await,
        Command::Healthcheck(arguments) => healthcheck(arguments).await,
    }
}

fn print(text: &str) -> Result<(), Failure> {
    let written = std::io::stdout().lock().write_all(text.as_bytes());
    written.map_err(|error| Failure::new(ExitStatus::Failed, &error))
}

/// What is told when it does not go well.
struct Failure {
    status: ExitStatus,
    text: String,
}

impl Failure {
    fn new(status: ExitStatus, error: &dyn Display) -> Self {
        Self { status, text: error.to_string() }
    }
}

async fn serve(arguments: ServeArguments) -> Result<(), Failure> {
    let otlp = Otlp::from_environment().map_err(|error| Failure::new(ExitStatus::Usage, &error))?;
    let traces = Traces::new(&otlp).map_err(|error| Failure::new(ExitStatus::Usage, &error))?;
    begin_log(&arguments.log, &traces)?;
    // Before the start, so that a wish to stop during it is not lost.
    let signals = StopSignals::catch().map_err(|error| Failure::new(ExitStatus::Failed, &error))?;
    let config = arguments.config().map_err(|text| Failure::new(ExitStatus::Usage, &text))?;
    let config = Config { otlp, ..config };
    let server = Server::start(config).await.map_err(|error| Failure::new(error.exit_status(), &error))?;
    greet(&server);
    // The socket listens already: a call that comes now waits for the moment that serving takes to begin.
    tell_systemd(NotifyState::Ready);
    let stop = async {
        signals.first().await;
        tell_systemd(NotifyState::Stopping);
    };
    let served = server.serve(stop).await;
    traces.end().await;
    served.map_err(|error| Failure::new(ExitStatus::Stopped, &error))
}

/// Without NOTIFY_SOCKET nobody asks. A failure is no reason not to serve.
fn tell_systemd(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "systemd can't be told");
    }
}

fn greet(server: &Server) {
    let mut out = std::io::stdout().lock();
    // Whoever started us may have closed the pipe; that is no reason not to serve.
    let _ = writeln!(out, "{}", server.greeting()).and_then(|()| out.flush());
}

async fn migrate(arguments: MigrateArguments) -> Result<(), Failure> {
    begin_log(&arguments.log, &Traces::default())?;
    let database = arguments.database.read().map_err(|text| Failure::new(ExitStatus::Usage, &text))?;
    server::migrate(&database).await.map_err(|error| Failure::new(ExitStatus::Database, &error))?;
    println!("The tables are up to date: {database}");
    if let Some(role) = &arguments.grant_to {
        let granted = server::grant(&database, role).await;
        granted.map_err(|error| Failure::new(ExitStatus::Database, &error))?;
        println!("The role {role} may serve it, with --migrations require");
    }
    Ok(())
}

fn new_key(arguments: &NewKeyArguments) -> Result<(), Failure> {
    let made = ApiKey::generate(&arguments.name, arguments.role);
    let (key, secret) = made.map_err(|error| Failure::new(ExitStatus::Usage, &error))?;
    if arguments.json {
        let line = key.to_string();
        println!("{}", json!({"key": secret, "config": line, "name": key.name, "role": key.role.as_str()}));
        return Ok(());
    }
    println!(
        "The key. It is shown this once; its user sends it as `authorization: Bearer KEY`:\n\n  {secret}\n"
    );
    println!("For the service (--api-key, MATCHBOOK_API_KEYS, or a line of --api-keys-file):\n\n  {key}");
    Ok(())
}

async fn rotate_key(arguments: RotateKeyArguments) -> Result<(), Failure> {
    begin_log(&arguments.log, &Traces::default())?;
    let json = arguments.json;
    let rotation = arguments.rotation().map_err(|text| Failure::new(ExitStatus::Usage, &text))?;
    let rotated = server::rotate_key(rotation).await;
    let rotated = rotated.map_err(|error| Failure::new(error.exit_status(), &error))?;
    let [key_file, kept] = [&rotated.key_file, &rotated.kept].map(|path| path.display());
    let (public_key, line) = (&rotated.public_key, rotated.retired.to_string());
    let added = rotated.retired_keys_file.as_ref().map(|path| path.display().to_string());
    if json {
        let told = json!({
            "keyFile": key_file.to_string(),
            "kept": kept.to_string(),
            "publicKey": public_key,
            "retired": line,
            "retiredKeysFile": added,
        });
        println!("{told}");
        return Ok(());
    }
    println!(
        "The service key is changed. The new one is in {key_file}: copy it to every replica, then start them."
    );
    println!(
        "The old one is kept in {kept}.\n\nThe new public key, for players to compare:\n\n  {public_key}\n"
    );
    let heading = match added {
        Some(file) => format!("What keeps the old signatures checkable was added to {file}:"),
        None => "Add this line to the file of --retired-keys-file, for the old signatures:".to_owned(),
    };
    println!("{heading}\n\n  {line}");
    Ok(())
}

async fn healthcheck(arguments: HealthcheckArguments) -> Result<(), Failure> {
    let address = server::check_health(arguments.listen(), arguments.security(), arguments.question())
        .await
        .map_err(|error| Failure::new(ExitStatus::Unhealthy, &error))?;
    println!(
        "{} at {address}",
        match arguments.question() {
            Question::Ready => "serving",
            Question::Alive => "alive",
        }
    );
    Ok(())
}

fn begin_log(arguments: &LogArguments, traces: &Traces) -> Result<(), Failure> {
    telemetry::begin(&arguments.filter, arguments.format, traces)
        .map_err(|error| Failure::new(ExitStatus::Usage, &error))
}
