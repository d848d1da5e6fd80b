//! The seats' tokens of this user, kept in a file between commands: readable by
//! the user alone and always replaced as a whole.

use std::{
    collections::BTreeMap,
    env,
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    process,
};

use wire::v1::Seat;

use crate::failure::Failure;

/// Tokens by server, match and seat.
type Tokens = BTreeMap<String, BTreeMap<String, BTreeMap<String, String>>>;

/// The file and the folder that it is in.
#[derive(Debug, Clone)]
pub(crate) struct TokenStore {
    folder: PathBuf,
}

impl TokenStore {
    /// The user's own store, by the environment; none where the user has no home.
    pub(crate) fn of_user() -> Option<Self> {
        let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let folder = set("MATCHBOOK_STATE")
            .or_else(|| set("XDG_STATE_HOME").map(|state| state.join("matchbook")))
            .or_else(|| set("HOME").map(|home| home.join(".local/state/matchbook")))?;
        Some(Self { folder })
    }

    /// The file with the tokens.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.join("tokens.json")
    }

    /// The tokens stored for a match.
    pub(crate) fn tokens(&self, server: &str, match_id: &str) -> Result<Vec<(Seat, String)>, Failure> {
        let mut all = self.read()?;
        let of_match = all.get_mut(server).and_then(|matches| matches.remove(match_id)).unwrap_or_default();
        let known = |(seat, token): (String, String)| Some((Seat::from_str_name(&seat)?, token));
        Ok(of_match.into_iter().filter_map(known).collect())
    }

    /// Adds a token, or replaces the one of the same seat.
    pub(crate) fn put(&self, server: &str, match_id: &str, seat: Seat, token: &str) -> Result<(), Failure> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |source| Failure::File { path, source }
        };
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder).map_err(at(&self.folder))?;

        // Two commands at once must not lose each other's token.
        let lock_path = self.folder.join("tokens.lock");
        let lock = private_file(&lock_path).and_then(|file| file.lock().map(|()| file));
        let lock = lock.map_err(at(&lock_path))?;
        let mut all = self.read()?;
        let of_match = all.entry(server.to_owned()).or_default().entry(match_id.to_owned()).or_default();
        of_match.insert(seat.as_str_name().to_owned(), token.to_owned());
        let written = self.replace(&all).map_err(at(&self.path()));
        drop(lock);
        written
    }

    fn read(&self) -> Result<Tokens, Failure> {
        let path = self.path();
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map_err(|error| Failure::TokenFile { path, cause: error.to_string() }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Tokens::new()),
            Err(source) => Err(Failure::File { path, source }),
        }
    }

    /// Writes a new file and puts it in the place of the old one, so that nobody
    /// ever sees half of it.
    fn replace(&self, tokens: &Tokens) -> io::Result<()> {
        let fresh = self.folder.join(format!("tokens.{}.new", process::id()));
        let written = private_file(&fresh).and_then(|mut file| {
            file.set_len(0)?;
            file.write_all(serde_json::to_string_pretty(tokens)?.as_bytes())?;
            file.sync_all()?;
            fs::rename(&fresh, self.path())
        });
        if written.is_err() {
            // The write's own error is the one to tell.
            let _ = fs::remove_file(&fresh);
        }
        written
    }
}

fn private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use std::{os::unix::fs::PermissionsExt as _, thread};

    use super::*;

    const SERVER: &str = "http://127.0.0.1:7420";

    fn store_in(folder: &Path) -> TokenStore {
        TokenStore { folder: folder.join("state").join("matchbook") }
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn tokens_are_kept_apart_by_server_match_and_seat() {
        let home = tempfile::tempdir().unwrap();
        let store = store_in(home.path());
        assert_eq!(store.tokens(SERVER, "m").unwrap(), []);
        store.put(SERVER, "m", Seat::One, "one").unwrap();
        store.put(SERVER, "m", Seat::Zero, "old").unwrap();
        store.put(SERVER, "m", Seat::Zero, "zero").unwrap();
        store.put(SERVER, "other", Seat::Zero, "other match").unwrap();
        store.put("http://example.org", "m", Seat::Zero, "other server").unwrap();
        let mut tokens = store.tokens(SERVER, "m").unwrap();
        tokens.sort();
        assert_eq!(tokens, [(Seat::Zero, "zero".to_owned()), (Seat::One, "one".to_owned())]);
    }

    #[test]
    fn nobody_else_can_read_them() {
        let home = tempfile::tempdir().unwrap();
        let store = store_in(home.path());
        store.put(SERVER, "m", Seat::One, "one").unwrap();
        assert_eq!(mode(&store.path()), 0o600);
        assert_eq!(mode(&store.folder), 0o700);

        // A file that became readable is private again after the next write.
        fs::set_permissions(store.path(), fs::Permissions::from_mode(0o644)).unwrap();
        store.put(SERVER, "m", Seat::Zero, "zero").unwrap();
        assert_eq!(mode(&store.path()), 0o600);
    }

    #[test]
    fn writers_at_once_lose_nothing() {
        let home = tempfile::tempdir().unwrap();
        let store = store_in(home.path());
        thread::scope(|scope| {
            for writer in 0..4 {
                let store = &store;
                scope.spawn(move || {
                    for n in 0..5 {
                        store.put(SERVER, &format!("{writer}-{n}"), Seat::Zero, "t").unwrap();
                    }
                });
            }
        });
        let stored = store.read().unwrap();
        assert_eq!(stored[SERVER].len(), 20);
    }

    #[test]
    fn a_broken_file_is_told_and_left_alone() {
        let home = tempfile::tempdir().unwrap();
        let store = store_in(home.path());
        fs::create_dir_all(&store.folder).unwrap();
        fs::write(store.path(), "not json").unwrap();
        assert!(matches!(store.tokens(SERVER, "m"), Err(Failure::TokenFile { .. })));
        assert!(store.put(SERVER, "m", Seat::Zero, "t").is_err());
        assert_eq!(fs::read_to_string(store.path()).unwrap(), "not json");
    }
}
