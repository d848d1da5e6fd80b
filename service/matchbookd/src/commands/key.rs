//! `matchbookd key`: creates API keys and rotates the service key.

use play::ApiKey;
use serde_json::json;
use server::RotatedKey;
use server::telemetry::TracePipeline;

use super::init_log;
use crate::arguments::{NewKeyArguments, RotateKeyArguments};
use crate::exit_status::CommandFailure;

/// Creates an API key and prints it with the line that configures it.
pub(crate) fn new_key(arguments: &NewKeyArguments) -> Result<(), CommandFailure> {
    let created = ApiKey::generate(&arguments.name, arguments.role);
    let (key, secret) = created.map_err(|error| CommandFailure::usage(&error))?;
    if arguments.json {
        let line = key.to_string();
        println!("{}", json!({"key": secret, "config": line, "name": key.name, "role": key.role.as_str()}));
        return Ok(());
    }
    println!("The API key, shown only once. Clients send it as `authorization: Bearer KEY`:\n\n  {secret}\n");
    println!("For the service (--api-key, MATCHBOOK_API_KEYS, or a line of --api-keys-file):\n\n  {key}");
    Ok(())
}

/// Rotates the service key and prints what to distribute.
pub(crate) async fn rotate_key(arguments: RotateKeyArguments) -> Result<(), CommandFailure> {
    init_log(&arguments.log, &TracePipeline::default())?;
    let json = arguments.json;
    let rotation = arguments.rotation().map_err(|text| CommandFailure::usage(&text))?;
    let rotated = server::rotate_key(rotation).await?;
    if json {
        print_json(&rotated);
    } else {
        print_text(&rotated);
    }
    Ok(())
}

fn print_json(rotated: &RotatedKey) {
    let object = json!({
        "keyFile": rotated.key_file.display().to_string(),
        "kept": rotated.kept.display().to_string(),
        "publicKey": rotated.public_key,
        "serviceName": rotated.name,
        "retired": rotated.retired.to_string(),
        "retiredKeysFile": rotated.retired_keys_file.as_ref().map(|path| path.display().to_string()),
    });
    println!("{object}");
}

fn print_text(rotated: &RotatedKey) {
    println!(
        "The service key is rotated. Copy the new key file {} to every replica, then start them with \
         --service-name {}.",
        rotated.key_file.display(),
        rotated.name
    );
    println!("The old key is kept in {}.\n", rotated.kept.display());
    println!("The new public key, for clients to compare:\n\n  {}\n", rotated.public_key);
    match &rotated.retired_keys_file {
        Some(path) => {
            println!("This line, which keeps old signatures verifiable, was added to {}:", path.display());
        }
        None => {
            println!("Add this line to the file of --retired-keys-file to keep old signatures verifiable:");
        }
    }
    println!("\n  {}", rotated.retired);
}
