//! Reads the configured API keys from arguments, environment and a file.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use play::{ApiKey, ApiKeyError, KeyRing, KeyRingError};

/// Far more than a thousand keys need.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Why the configured keys cannot be used. The messages do not repeat the input, which may be a secret.
#[derive(Debug, thiserror::Error)]
pub enum ApiKeysError {
    /// A key of `--api-key` or its variable is malformed.
    #[error("key {number}: {cause}")]
    Argument {
        /// The 1-based index of the key.
        number: usize,
        /// Why the key is malformed.
        cause: ApiKeyError,
    },
    /// A line of the file is malformed.
    #[error("{}, line {number}: {cause}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The 1-based line number.
        number: usize,
        /// Why the key is malformed.
        cause: ApiKeyError,
    },
    /// The file cannot be read.
    #[error("{}: cannot read the file: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        cause: io::Error,
    },
    /// The file contains no key, with which the service would be open.
    #[error("{} contains no key; omit this setting to run an open service", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The keys conflict with each other.
    #[error(transparent)]
    Ring(#[from] KeyRingError),
}

impl ApiKeysError {
    /// Returns the setting whose value is the cause, as its flag without the dashes.
    pub fn setting(&self) -> &'static str {
        match self {
            Self::Argument { .. } | Self::Ring(_) => "api-key",
            Self::Line { .. } | Self::File { .. } | Self::Empty { .. } => "api-keys-file",
        }
    }
}

/// Reads the keys of both sources. Each element of `given` may hold several keys, separated by commas or
/// newlines.
pub fn read_api_keys(given: &[String], file: Option<&Path>) -> Result<KeyRing, ApiKeysError> {
    let texts = given.iter().flat_map(|text| text.split([',', '\n']));
    let texts = texts.filter(|text| !text.trim().is_empty()).enumerate();
    let parsed = texts.map(|(index, text)| {
        text.parse().map_err(|cause| ApiKeysError::Argument { number: index + 1, cause })
    });
    let mut keys: Vec<ApiKey> = parsed.collect::<Result<_, _>>()?;
    if let Some(path) = file {
        keys.extend(read_file(path)?);
    }
    Ok(KeyRing::new(keys)?)
}

fn read_file(path: &Path) -> Result<Vec<ApiKey>, ApiKeysError> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_string(&mut text));
    let read = read.and_then(|bytes| match bytes as u64 {
        0..=MAX_FILE_BYTES => Ok(()),
        _ => Err(io::Error::other("larger than 1 MiB")),
    });
    read.map_err(|cause| ApiKeysError::File { path: path.to_owned(), cause })?;
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let parsed = lines.map(|(number, line)| {
        line.parse().map_err(|cause| ApiKeysError::Line { path: path.to_owned(), number, cause })
    });
    let keys: Vec<ApiKey> = parsed.collect::<Result<_, _>>()?;
    if keys.is_empty() { Err(ApiKeysError::Empty { path: path.to_owned() }) } else { Ok(keys) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use play::Role;

    use super::*;

    fn line(name: &str) -> (String, String) {
        let (key, secret) = ApiKey::generate(name, Role::App).unwrap();
        (key.to_string(), secret)
    }

    #[test]
    fn keys_of_all_sources_add_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        let [(a, sa), (b, sb), (c, sc), (d, sd)] = ["a", "b", "c", "d"].map(line);
        fs::write(&path, format!("# keys of the shop\n\n  {d}  \n")).unwrap();
        let ring = read_api_keys(&[format!("{a},\n{b}\n"), c], Some(&path)).unwrap();
        let found = [sa, sb, sc, sd].map(|secret| ring.find(&secret).unwrap().name.clone());
        assert_eq!(found, ["a", "b", "c", "d"]);
        assert!(read_api_keys(&[], None).unwrap().is_open());
        assert!(read_api_keys(&["\n".to_owned()], None).unwrap().is_open());
    }

    #[test]
    fn errors_name_the_position_but_not_the_secret() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        let (good, secret) = line("a");
        fs::write(&path, format!("{good}\nb:app:{secret}\n")).unwrap();
        let error = read_api_keys(&[], Some(&path)).unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("the key itself"), "{error}");
        let error = read_api_keys(&[good.clone(), format!("b:app:{secret}")], None).unwrap_err().to_string();
        assert!(error.contains("key 2") && !error.contains(&secret), "{error}");

        fs::write(&path, "# none\n").unwrap();
        assert!(matches!(read_api_keys(&[good], Some(&path)), Err(ApiKeysError::Empty { .. })));
        fs::write(&path, vec![b'#'; 2 << 20]).unwrap();
        assert!(matches!(read_api_keys(&[], Some(&path)), Err(ApiKeysError::File { .. })));
        assert!(matches!(read_api_keys(&[], Some(folder.path())), Err(ApiKeysError::File { .. })));
    }
}
