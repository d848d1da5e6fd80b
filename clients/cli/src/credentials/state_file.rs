//! A file that keeps something between commands: JSON, readable by the user alone, replaced atomically.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::{env, process};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// Returns the folder of the user's state, by the environment; `None` if the user has no home.
pub(crate) fn state_folder() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("MATCHBOOK_STATE")
        .or_else(|| set("XDG_STATE_HOME").map(|state| state.join("matchbook")))
        .or_else(|| set("HOME").map(|home| home.join(".local/state/matchbook")))
}

/// A file in the folder of the user's state.
#[derive(Debug, Clone)]
pub(crate) struct StateFile {
    folder: PathBuf,
    stem: &'static str,
}

impl StateFile {
    /// Returns the file `STEM.json` in a folder.
    pub(crate) fn new(folder: PathBuf, stem: &'static str) -> Self {
        Self { folder, stem }
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.json", self.stem))
    }

    /// Reads the content; the default value if the file does not exist.
    pub(crate) fn read<T: DeserializeOwned + Default>(&self) -> Result<T, Failure> {
        let path = self.path();
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map_err(|error| Failure::StateFile { path, cause: error.to_string() }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(T::default()),
            Err(source) => Err(Failure::File { path, source }),
        }
    }

    /// Changes the content under a lock and returns the result of the change.
    pub(crate) fn change<T: Serialize + DeserializeOwned + Default, R>(
        &self,
        change: impl FnOnce(&mut T) -> R,
    ) -> Result<R, Failure> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |source| Failure::File { path, source }
        };
        DirBuilder::new().recursive(true).mode(0o700).create(&self.folder).map_err(at(&self.folder))?;

        // Concurrent commands must not lose each other's change.
        let lock_path = self.folder.join(format!("{}.lock", self.stem));
        let lock = private_file(&lock_path).and_then(|file| file.lock().map(|()| file));
        let lock = lock.map_err(at(&lock_path))?;
        let mut content = self.read()?;
        let result = change(&mut content);
        let written = self.replace(&content).map_err(at(&self.path()));
        drop(lock);
        written.map(|()| result)
    }

    /// Writes a new file and renames it over the old one, so that no reader sees half of it.
    fn replace(&self, content: &impl Serialize) -> io::Result<()> {
        let fresh = self.folder.join(format!("{}.{}.new", self.stem, process::id()));
        let written = private_file(&fresh).and_then(|mut file| {
            file.set_len(0)?;
            file.write_all(serde_json::to_string_pretty(content)?.as_bytes())?;
            file.sync_all()?;
            fs::rename(&fresh, self.path())
        });
        if written.is_err() {
            // The error of the write is the one to report.
            let _ = fs::remove_file(&fresh);
        }
        written
    }
}

fn private_file(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path)
}
