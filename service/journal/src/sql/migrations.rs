//! The migrations of a kind of database, from its folder in `migrations/`.

use std::borrow::Cow;

use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

/// The name of a file, such as `0002_since_0001_names.sql`, and its statements.
pub(crate) type MigrationFile = (&'static str, &'static str);

/// The first line of a file whose statements can't run in a transaction.
const NO_TRANSACTION: &str = "-- no-transaction";

/// Returns the migrations of a folder.
///
/// # Panics
///
/// If a file is not named by a number and a description.
pub(crate) fn migrator(files: &[MigrationFile]) -> Migrator {
    Migrator::with_migrations(files.iter().map(migration).collect())
}

fn migration((name, statements): &MigrationFile) -> Migration {
    let (version, description) = name.split_once('_').expect("migrations are named NNNN_what.sql");
    let description = description.trim_end_matches(".sql").replace('_', " ");
    Migration::new(
        version.parse().expect("a migration's name begins with its number"),
        Cow::Owned(description),
        MigrationType::Simple,
        SqlStr::from_static(statements),
        statements.starts_with(NO_TRANSACTION),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_description_and_transaction_come_from_the_file() {
        let migrator = migrator(&[
            ("0001_journal.sql", "CREATE TABLE a (b int)"),
            ("0012_since_0001_an_index.sql", "-- no-transaction\nCREATE INDEX CONCURRENTLY c ON a (b)"),
        ]);
        let read: Vec<_> = migrator.iter().map(|one| (one.version, &*one.description, one.no_tx)).collect();
        assert_eq!(read, [(1, "journal", false), (12, "since 0001 an index", true)]);
    }
}
