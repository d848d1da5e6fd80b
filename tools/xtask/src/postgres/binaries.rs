//! The installed Postgres programs: the newest version, or Debian's package.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::{child, repository, tools};

/// Where packages install one folder per version: Debian, Red Hat, Homebrew on both kinds of processors.
const VERSION_FOLDERS: [(&str, &str); 4] = [
    ("/usr/lib/postgresql", "bin"),
    ("/usr", "bin"),
    ("/opt/homebrew/opt", "bin"),
    ("/usr/local/opt", "bin"),
];

/// A folder with `initdb`, `postgres` and `pg_isready` of one version.
pub(crate) struct Binaries {
    folder: PathBuf,
}

impl Binaries {
    /// Returns the newest installed version; installs Debian's package if there is none and this is root on
    /// Debian.
    pub(crate) fn find_or_install() -> Result<Self> {
        tools::find_or_install("postgresql", Self::find).context(
            "no Postgres server programs found: install them (Debian, Ubuntu: `sudo apt-get install \
             postgresql`; Fedora: `sudo dnf install postgresql-server`; macOS: `brew install postgresql`), \
             or name a server in MATCHBOOK_TEST_DATABASE_URL",
        )
    }

    /// Returns the folder of the programs.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the result of one statement, its columns separated by `|`.
    pub(crate) fn query(&self, url: &str, sql: &str) -> Result<String> {
        let mut psql = Command::new(self.program("psql"));
        psql.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"]);
        let rows = child::capture(psql.args(["--command", sql, url]))?;
        Ok(rows.trim().to_owned())
    }

    /// Returns the path of a program.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn find() -> Option<Self> {
        candidates()
            .into_iter()
            .filter(|folder| folder.join("initdb").is_file() && folder.join("pg_isready").is_file())
            .filter_map(|folder| Some((version(&folder)?, folder)))
            .max()
            .map(|(_, folder)| Self { folder })
    }
}

fn candidates() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    if let Some(folder) = child::query(Command::new("pg_config").arg("--bindir")) {
        folders.push(PathBuf::from(folder));
    }
    if let Some(program) = repository::on_path("initdb") {
        // A link on PATH may be the only one; the server finds its own files from the real location.
        let program = fs::canonicalize(&program).unwrap_or(program);
        folders.extend(program.parent().map(Path::to_owned));
    }
    for (parent, inner) in VERSION_FOLDERS {
        let entries = fs::read_dir(parent).into_iter().flatten().flatten();
        folders.extend(entries.map(|entry| entry.path().join(inner)));
    }
    folders
}

fn version(folder: &Path) -> Option<(u32, u32)> {
    parse_version(&child::query(Command::new(folder.join("postgres")).arg("--version"))?)
}

/// Returns major and minor version from "postgres (PostgreSQL) 15.14 (Debian 15.14-1)".
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let number = text.split_whitespace().nth(2)?;
    let (major, minor) = number.split_once('.').unwrap_or((number, "0"));
    // Unreleased versions end in a word: 19beta1, 19devel.
    let major: String = major.chars().take_while(char::is_ascii_digit).collect();
    Some((major.parse().ok()?, minor.parse().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::parse_version;

    #[test]
    fn versions_compare_as_numbers() {
        assert_eq!(parse_version("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)"), Some((15, 14)));
        assert_eq!(parse_version("postgres (PostgreSQL) 9.6"), Some((9, 6)));
        assert_eq!(parse_version("postgres (PostgreSQL) 19beta1"), Some((19, 0)));
        assert_eq!(parse_version("no such thing"), None);
        assert!(parse_version("postgres (PostgreSQL) 9.6") < parse_version("postgres (PostgreSQL) 15.14"));
    }
}
