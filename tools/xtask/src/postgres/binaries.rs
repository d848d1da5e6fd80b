//! The installed Postgres programs: the newest version found, else Debian's package.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::{child, debian, repository};

/// Where packages put one folder a version; Debian and its kin, Red Hat and its kin, Homebrew.
const FOLDERS_OF_VERSIONS: [(&str, &str); 4] = [
    ("/usr/lib/postgresql", "bin"),
    ("/usr", "bin"),
    ("/opt/homebrew/opt", "bin"),
    ("/usr/local/opt", "bin"),
];

/// A folder that holds `initdb`, `postgres` and `pg_isready` of one version.
pub(crate) struct Binaries {
    folder: PathBuf,
}

impl Binaries {
    /// The newest installed version; installs Debian's where that is possible, else says what to install.
    pub(crate) fn find_or_install() -> Result<Self> {
        if let Some(found) = Self::find() {
            return Ok(found);
        }
        if !debian::can_install() {
            bail!(
                "no Postgres server programs found. Install them (Debian, Ubuntu: `sudo apt-get install postgresql`; \
                 Fedora: `sudo dnf install postgresql-server`; macOS: `brew install postgresql`), or let \
                 MATCHBOOK_TEST_DATABASE_URL name a server that tests may use"
            );
        }
        debian::install("postgresql")?;
        match Self::find() {
            Some(found) => Ok(found),
            None => bail!("apt-get installed `postgresql`, but no server programs were found afterwards"),
        }
    }

    /// The folder with the programs.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The answer to one statement, fields separated by `|`.
    pub(crate) fn query(&self, url: &str, sql: &str) -> Result<String> {
        let mut psql = Command::new(self.program("psql"));
        psql.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"]);
        let answer = child::capture(psql.args(["--command", sql, url]).stderr(Stdio::piped()))?;
        Ok(answer.trim().to_owned())
    }

    /// The path of one program.
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
    if let Some(folder) = child::ask(Command::new("pg_config").arg("--bindir")) {
        folders.push(PathBuf::from(folder));
    }
    if let Some(program) = repository::on_path("initdb") {
        // On PATH there may be links to single programs only; the server finds its own files from the real place.
        let program = fs::canonicalize(&program).unwrap_or(program);
        folders.extend(program.parent().map(Path::to_owned));
    }
    for (parent, inner) in FOLDERS_OF_VERSIONS {
        let entries = fs::read_dir(parent).into_iter().flatten().flatten();
        folders.extend(entries.map(|entry| entry.path().join(inner)));
    }
    folders
}

/// (major, minor), as `postgres --version` tells: "postgres (PostgreSQL) 15.14 (Debian 15.14-1)".
fn version(folder: &Path) -> Option<(u32, u32)> {
    parse_version(&child::ask(Command::new(folder.join("postgres")).arg("--version"))?)
}

fn parse_version(text: &str) -> Option<(u32, u32)> {
    let number = text.split_whitespace().nth(2)?;
    let (major, minor) = number.split_once('.').unwrap_or((number, "0"));
    // Before a release the number ends in words: 19beta1, 19devel.
    let major: String = major.chars().take_while(char::is_ascii_digit).collect();
    Some((major.parse().ok()?, minor.parse().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::parse_version;

    #[test]
    fn versions_are_numbers_not_texts() {
        assert_eq!(parse_version("postgres (PostgreSQL) 15.14 (Debian 15.14-0+deb12u1)"), Some((15, 14)));
        assert_eq!(parse_version("postgres (PostgreSQL) 9.6"), Some((9, 6)));
        assert_eq!(parse_version("postgres (PostgreSQL) 19beta1"), Some((19, 0)));
        assert_eq!(parse_version("no such thing"), None);
        assert!(parse_version("postgres (PostgreSQL) 9.6") < parse_version("postgres (PostgreSQL) 15.14"));
    }
}
