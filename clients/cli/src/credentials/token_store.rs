//! The tokens of the user's seats, stored between commands.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::state_file::StateFile;
use crate::failure::Failure;

/// Tokens by server address, match and seat.
type Tokens = BTreeMap<String, BTreeMap<String, BTreeMap<String, String>>>;

/// The file of tokens.
#[derive(Debug, Clone)]
pub(crate) struct TokenStore {
    file: StateFile,
}

impl TokenStore {
    /// Returns the store in this folder.
    pub(crate) fn within(folder: &Path) -> Self {
        Self { file: StateFile::new(folder.to_owned(), "tokens") }
    }

    /// Returns the store in this folder of the seats that bots play. Commands of the user do not find them.
    pub(crate) fn of_bots(folder: &Path) -> Self {
        Self { file: StateFile::new(folder.to_owned(), "bots") }
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> PathBuf {
        self.file.path()
    }

    /// Returns the stored tokens of a match.
    pub(crate) fn of_match(&self, server: &str, match_id: &str) -> Result<Vec<(u32, String)>, Failure> {
        let mut all: Tokens = self.file.read()?;
        let of_match = all.get_mut(server).and_then(|matches| matches.remove(match_id)).unwrap_or_default();
        let known = |(seat, token): (String, String)| Some((seat.parse().ok()?, token));
        Ok(of_match.into_iter().filter_map(known).collect())
    }

    /// Returns the matches of a server that have stored tokens.
    pub(crate) fn matches(&self, server: &str) -> Result<Vec<String>, Failure> {
        let mut all: Tokens = self.file.read()?;
        Ok(all.remove(server).unwrap_or_default().into_keys().collect())
    }

    /// Stores a token, replacing an earlier one of the same seat.
    pub(crate) fn put(&self, server: &str, match_id: &str, seat: u32, token: &str) -> Result<(), Failure> {
        self.file.change(|all: &mut Tokens| {
            let of_match = all.entry(server.to_owned()).or_default().entry(match_id.to_owned()).or_default();
            of_match.insert(seat.to_string(), token.to_owned());
        })
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::{fs, thread};

    use super::*;

    const SERVER: &str = "http://127.0.0.1:7420";

    fn store_in(folder: &Path) -> TokenStore {
        TokenStore::within(&folder.join("state").join("matchbook"))
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn tokens_are_stored_by_server_match_and_seat() {
        let home = tempfile::tempdir().unwrap();
        let store = store_in(home.path());
        assert_eq!(store.of_match(SERVER, "m").unwrap(), []);
        store.put(SERVER, "m", 1, "one").unwrap();
        store.put(SERVER, "m", 0, "old").unwrap();
        store.put(SERVER, "m", 0, "zero").unwrap();
        store.put(SERVER, "other", 0, "other match").unwrap();
        store.put("http://example.org", "m", 0, "other server").unwrap();
        let mut tokens = store.of_match(SERVER, "m").unwrap();
        tokens.sort();
        assert_eq!(tokens, [(0, "zero".to_owned()), (1, "one".to_owned())]);
    }

    #[test]
    fn only_the_user_can_read_the_file() {
        let home = tempfile::tempdir().unwrap();
        let store = store_in(home.path());
        store.put(SERVER, "m", 1, "one").unwrap();
        assert_eq!(mode(&store.path()), 0o600);
        assert_eq!(mode(store.path().parent().unwrap()), 0o700);

        // A write makes a readable file private again.
        fs::set_permissions(store.path(), fs::Permissions::from_mode(0o644)).unwrap();
        store.put(SERVER, "m", 0, "zero").unwrap();
        assert_eq!(mode(&store.path()), 0o600);
    }

    #[test]
    fn concurrent_writers_lose_nothing() {
        let home = tempfile::tempdir().unwrap();
        let store = store_in(home.path());
        thread::scope(|scope| {
            for writer in 0..4 {
                let store = &store;
                scope.spawn(move || {
                    for n in 0..5 {
                        store.put(SERVER, &format!("{writer}-{n}"), 0, "t").unwrap();
                    }
                });
            }
        });
        let stored: Tokens = store.file.read().unwrap();
        assert_eq!(stored[SERVER].len(), 20);
    }

    #[test]
    fn a_corrupt_file_is_reported_and_left_unchanged() {
        let home = tempfile::tempdir().unwrap();
        let store = store_in(home.path());
        fs::create_dir_all(store.path().parent().unwrap()).unwrap();
        fs::write(store.path(), "not json").unwrap();
        assert!(matches!(store.of_match(SERVER, "m"), Err(Failure::StateFile { .. })));
        assert!(store.put(SERVER, "m", 0, "t").is_err());
        assert_eq!(fs::read_to_string(store.path()).unwrap(), "not json");
    }
}
