//! `matchbookd key`: creates API keys and rotates the service key.

use play::ApiKey;
use serde_json::json;
use server::RotatedKey;
use server::telemetry::TracePipeline;

use super::{init_log, print};
use crate::arguments::{NewKeyArguments, RotateKeyArguments};
use crate::exit_status::CommandFailure;

/// Creates an API key and prints it with the line that configures it.
pub(crate) fn new_key(arguments: &NewKeyArguments) -> Result<(), CommandFailure> {
    let created = ApiKey::generate(&arguments.name, arguments.role);
    let (key, secret) = created.map_err(|error| CommandFailure::usage(&error))?;
    if arguments.json {
        let line = key.to_string();
        let object = json!({"key": secret, "config": line, "name": key.name, "role": key.role.as_str()});
        return print(&format!("{object}\n"));
    }
    print(&format!(
        "The API key, shown only once. Clients send it as `authorization: Bearer KEY`:\n\n  {secret}\n\n\
         For the service (--api-key, MATCHBOOK_API_KEYS, or a line of --api-keys-file):\n\n  {key}\n"
    ))
}

/// Rotates the service key and prints what to distribute.
pub(crate) async fn rotate_key(arguments: RotateKeyArguments) -> Result<(), CommandFailure> {
    init_log(&arguments.log, &TracePipeline::default())?;
    let json = arguments.json;
    let rotation = arguments.rotation()?;
    let rotated = server::rotate_key(rotation).await?;
    let report = if json { json_report(&rotated) } else { text_report(&rotated) };
    print(&report).map_err(|failure| {
        let text = format!("the service key is rotated, but its report is lost: {}", failure.text);
        CommandFailure::new(failure.status, &text)
    })
}

fn json_report(rotated: &RotatedKey) -> String {
    let object = json!({
        "keyFile": rotated.key_file.display().to_string(),
        "kept": rotated.kept.display().to_string(),
        "publicKey": rotated.public_key,
        "serviceName": rotated.name,
        "retired": rotated.retired.to_string(),
        "retiredKeysFile": rotated.retired_keys_file.as_ref().map(|path| path.display().to_string()),
    });
    format!("{object}\n")
}

fn text_report(rotated: &RotatedKey) -> String {
    let RotatedKey { name, public_key, retired, .. } = rotated;
    let (key_file, kept) = (rotated.key_file.display(), rotated.kept.display());
    let retired_line = match &rotated.retired_keys_file {
        Some(path) => {
            let path = path.display();
            format!(
                "This line, added to {path}, keeps old signatures verifiable. Pass the file to every replica \
                 as --retired-keys-file:"
            )
        }
        None => {
            "Add this line to the file of --retired-keys-file to keep old signatures verifiable:".to_owned()
        }
    };
    format!(
        "The service key is rotated. Copy the new key file {key_file} to every replica, then start them with \
         --service-name {name}.\n\
         The old key is kept in {kept}.\n\n\
         The new public key, for clients to compare:\n\n  {public_key}\n\n\
         {retired_line}\n\n  {retired}\n"
    )
}
