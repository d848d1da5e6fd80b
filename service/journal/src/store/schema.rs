//! Whether a database's schema fits this program. A newer program may migrate the database while this one
//! serves: the name of a migration says which older programs can live with it. `docs/upgrade.md` has the
//! rule.

use sqlx::migrate::{Migration, Migrator};

use crate::sql::row;

/// Why the schema does not fit this program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// A migration of this program was not applied, or failed.
    #[error("migration {version} ({name}) was not applied")]
    Behind {
        /// The first missing migration.
        version: i64,
        /// Its name.
        name: String,
    },
    /// A migration was applied with another text.
    #[error("migration {version} was applied with another text than this program's")]
    Changed {
        /// The migration.
        version: i64,
    },
    /// A newer program has made changes that this one can't work with.
    #[error(
        "migration {version} ({name}) was made by a newer program; this one knows migrations up to {known} \
         and can't work with it"
    )]
    Ahead {
        /// The newer migration.
        version: i64,
        /// Its name.
        name: String,
        /// The last migration that this program knows.
        known: i64,
    },
}

row! {
    /// A row of `_sqlx_migrations`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct AppliedMigration {
        pub(crate) version: i64,
        pub(crate) description: String,
        pub(crate) checksum: Vec<u8>,
        pub(crate) success: bool,
    }
}

/// Checks that all of this program's migrations are applied, and that it can live with newer ones.
pub(crate) fn check_schema(migrator: &Migrator, applied: &[AppliedMigration]) -> Result<(), SchemaError> {
    for wanted in migrator.iter() {
        match applied.iter().find(|applied| applied.version == wanted.version) {
            Some(found) if !found.success => return Err(behind(wanted)),
            Some(found) if found.checksum != *wanted.checksum => {
                return Err(SchemaError::Changed { version: wanted.version });
            }
            Some(_) => {}
            None => return Err(behind(wanted)),
        }
    }
    check_newer_migrations(migrator, applied)
}

/// Checks that a program that only reads can use the schema. Reading needs only the first migration.
pub(crate) fn check_schema_for_reading(
    migrator: &Migrator,
    applied: &[AppliedMigration],
) -> Result<(), SchemaError> {
    match migrator.iter().next() {
        Some(first) if !applied.iter().any(|applied| applied.version == first.version) => Err(behind(first)),
        _ => check_newer_migrations(migrator, applied),
    }
}

/// Checks that this program can live with the migrations of newer programs.
pub(crate) fn check_newer_migrations(
    migrator: &Migrator,
    applied: &[AppliedMigration],
) -> Result<(), SchemaError> {
    let known = migrator.iter().map(|migration| migration.version).max().unwrap_or(0);
    let incompatible = applied
        .iter()
        .filter(|applied| applied.version > known)
        .find(|applied| oldest_compatible(&applied.description).is_none_or(|oldest| oldest > known));
    match incompatible {
        None => Ok(()),
        Some(newer) => {
            let (version, name) = (newer.version, newer.description.clone());
            Err(SchemaError::Ahead { version, name, known })
        }
    }
}

fn behind(wanted: &Migration) -> SchemaError {
    SchemaError::Behind { version: wanted.version, name: wanted.description.to_string() }
}

/// Parses the last migration of the oldest program that can live with a migration: 3 in `since 0003 add a
/// column`.
fn oldest_compatible(description: &str) -> Option<i64> {
    let (number, name) = description.strip_prefix("since ")?.split_once(' ')?;
    if name.is_empty() { None } else { number.parse().ok() }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use sqlx::migrate::MigrationType;

    use super::*;
    use crate::backends::{postgres, sqlite};

    /// The last migration of the first program. Migrations up to it have no older program to live with.
    const FIRST_PROGRAM: i64 = 1;

    fn migrator(names: &[(i64, &str)]) -> Migrator {
        let migration = |&(version, name): &(i64, &str)| Migration {
            version,
            description: Cow::Owned(name.to_owned()),
            migration_type: MigrationType::Simple,
            sql: sqlx::SqlStr::from_static("SELECT 1"),
            checksum: Cow::Owned(vec![u8::try_from(version).unwrap()]),
            no_tx: false,
        };
        Migrator::with_migrations(names.iter().map(migration).collect())
    }

    fn applied(migrator: &Migrator) -> Vec<AppliedMigration> {
        let row = |migration: &Migration| AppliedMigration {
            version: migration.version,
            description: migration.description.to_string(),
            checksum: migration.checksum.to_vec(),
            success: true,
        };
        migrator.iter().map(row).collect()
    }

    #[test]
    fn a_program_works_with_newer_migrations_whose_name_allows_it() {
        let old = migrator(&[(1, "one"), (2, "two"), (3, "three")]);
        let newer =
            migrator(&[(1, "one"), (2, "two"), (3, "three"), (4, "since 0003 four"), (5, "since 0002 five")]);
        assert_eq!(check_schema(&old, &applied(&old)), Ok(()));
        assert_eq!(check_schema(&old, &applied(&newer)), Ok(()));
        assert_eq!(
            check_schema(&newer, &applied(&old)),
            Err(SchemaError::Behind { version: 4, name: "since 0003 four".to_owned() })
        );
        for name in ["since 0004 no more of that", "four", "since four", "since 0003"] {
            let incompatible = migrator(&[(1, "one"), (2, "two"), (3, "three"), (4, name)]);
            let error = check_schema(&old, &applied(&incompatible)).unwrap_err();
            assert_eq!(error, SchemaError::Ahead { version: 4, name: name.to_owned(), known: 3 });
        }
    }

    #[test]
    fn a_program_without_shards_rejects_a_database_with_several() {
        let old = migrator(&[(1, "one"), (2, "since 0001 two")]);
        let new = migrator(&[(1, "one"), (2, "since 0001 two"), (3, "since 0002 three")]);
        let several = include_str!("../../../../migrations/postgres/shards.sql");
        let (_, mark) = several.split_once("VALUES (").unwrap();
        let (version, name) = mark.split_once(", '").unwrap();
        let (name, _) = name.split_once('\'').unwrap();
        let marked = AppliedMigration {
            version: version.parse().unwrap(),
            description: name.to_owned(),
            checksum: Vec::new(),
            success: true,
        };
        let all = [applied(&new), vec![marked]].concat();
        assert_eq!(check_schema(&new, &all), Ok(()));
        assert!(matches!(check_schema(&old, &all), Err(SchemaError::Ahead { known: 2, .. })));
    }

    #[test]
    fn changed_and_failed_migrations_are_rejected() {
        let program = migrator(&[(1, "one"), (2, "two")]);
        let mut changed = applied(&program);
        changed[0].checksum = vec![9];
        assert_eq!(check_schema(&program, &changed), Err(SchemaError::Changed { version: 1 }));
        let mut failed = applied(&program);
        failed[1].success = false;
        assert!(matches!(check_schema(&program, &failed), Err(SchemaError::Behind { version: 2, .. })));
    }

    #[test]
    fn reading_needs_the_first_migration_only() {
        let program = migrator(&[(1, "one"), (2, "two"), (3, "three")]);
        let older = applied(&migrator(&[(1, "one")]));
        assert_eq!(check_schema_for_reading(&program, &older), Ok(()));
        let behind = SchemaError::Behind { version: 2, name: "two".to_owned() };
        assert_eq!(check_schema(&program, &older), Err(behind));
        assert!(matches!(
            check_schema_for_reading(&program, &[]),
            Err(SchemaError::Behind { version: 1, .. })
        ));
        let newer = applied(&migrator(&[(1, "one"), (2, "two"), (3, "three"), (4, "since 0004 four")]));
        assert!(matches!(
            check_schema_for_reading(&program, &newer),
            Err(SchemaError::Ahead { version: 4, .. })
        ));
    }

    #[test]
    fn both_databases_have_the_same_migrations_named_by_the_rule() {
        let names = |migrator: &Migrator| -> Vec<(i64, String)> {
            migrator.iter().map(|migration| (migration.version, migration.description.to_string())).collect()
        };
        let all = names(&postgres::MIGRATOR);
        assert_eq!(all, names(&sqlite::MIGRATOR));
        for (version, name) in all.into_iter().filter(|(version, _)| *version > FIRST_PROGRAM) {
            let since = oldest_compatible(&name)
                .unwrap_or_else(|| panic!("{version} is not named NNNN_since_MMMM_what.sql"));
            assert!((FIRST_PROGRAM..version).contains(&since), "{version}: since {since}");
        }
    }

    #[test]
    fn postgres_indexes_on_existing_tables_are_built_concurrently() {
        for migration in postgres::MIGRATOR.iter().filter(|migration| migration.version > FIRST_PROGRAM) {
            let text = migration.sql.as_str().to_uppercase();
            for index in
                text.split("CREATE ").filter(|rest| rest.starts_with("INDEX") || rest.starts_with("UNIQUE"))
            {
                let table = index.split(" ON ").nth(1).and_then(|on| on.split([' ', '(']).next()).unwrap();
                let fresh = text.contains(&format!("CREATE TABLE {table} "));
                assert!(fresh || index.contains("CONCURRENTLY"), "migration {}: {index}", migration.version);
            }
        }
    }
}
