//! Whether the tables are ones that this program can work with. A newer program may have migrated them while this one
//! serves: the name of each migration says which programs can live with it, `docs/upgrade.md` has the rule.

use sqlx::migrate::{Migration, Migrator};

/// Why the tables and this program don't go together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// A migration of this program was not applied yet, or not to its end.
    #[error("migration {version} ({name}) was not applied")]
    Behind {
        /// The first one that is missing.
        version: i64,
        /// Its name.
        name: String,
    },
    /// A migration was applied with another text than this program has.
    #[error("migration {version} was applied with another text than this program's")]
    Changed {
        /// Which one.
        version: i64,
    },
    /// A newer program has changed the tables so that this one can't use them.
    #[error(
        "migration {version} ({name}) is a newer program's, and this one, which knows migrations up to {known}, can't \
         work with it"
    )]
    Ahead {
        /// The newer migration.
        version: i64,
        /// Its name.
        name: String,
        /// The last one that this program has.
        known: i64,
    },
}

/// A migration as the database remembers it.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub(crate) struct Applied {
    pub(crate) version: i64,
    pub(crate) description: String,
    pub(crate) checksum: Vec<u8>,
    pub(crate) success: bool,
}

/// Compares all that was applied with all that this program has.
pub(crate) fn judge(migrator: &Migrator, applied: &[Applied]) -> Result<(), SchemaError> {
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
    judge_newer(migrator, applied)
}

/// Whether a program that only reads can work with them: it does without what later migrations of its own bring.
pub(crate) fn judge_for_reading(migrator: &Migrator, applied: &[Applied]) -> Result<(), SchemaError> {
    match migrator.iter().next() {
        Some(first) if !applied.iter().any(|applied| applied.version == first.version) => Err(behind(first)),
        _ => judge_newer(migrator, applied),
    }
}

/// Whether this program can work with what newer programs have done.
pub(crate) fn judge_newer(migrator: &Migrator, applied: &[Applied]) -> Result<(), SchemaError> {
    let known = migrator.iter().map(|migration| migration.version).max().unwrap_or(0);
    let refused = applied
        .iter()
        .filter(|applied| applied.version > known)
        .find(|applied| since(&applied.description).is_none_or(|since| since > known));
    match refused {
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

/// The migration that a program has to know, at least, to live with one of this name: `since 0003 add a column`.
fn since(description: &str) -> Option<i64> {
    let (number, name) = description.strip_prefix("since ")?.split_once(' ')?;
    if name.is_empty() { None } else { number.parse().ok() }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use sqlx::migrate::MigrationType;

    use super::*;
    use crate::{postgres, sqlite};

    /// Migrations up to this one are the first program's, and say nothing of older ones.
    const FIRST_PROGRAM: i64 = 3;

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

    fn applied(migrator: &Migrator) -> Vec<Applied> {
        let row = |migration: &Migration| Applied {
            version: migration.version,
            description: migration.description.to_string(),
            checksum: migration.checksum.to_vec(),
            success: true,
        };
        migrator.iter().map(row).collect()
    }

    #[test]
    fn a_program_lives_with_newer_tables_that_say_so() {
        let old = migrator(&[(1, "one"), (2, "two"), (3, "three")]);
        let grown =
            migrator(&[(1, "one"), (2, "two"), (3, "three"), (4, "since 0003 four"), (5, "since 0002 five")]);
        assert_eq!(judge(&old, &applied(&old)), Ok(()));
        assert_eq!(judge(&old, &applied(&grown)), Ok(()));
        assert_eq!(
            judge(&grown, &applied(&old)),
            Err(SchemaError::Behind { version: 4, name: "since 0003 four".to_owned() })
        );
        for name in ["since 0004 no more of that", "four", "since four", "since 0003"] {
            let shrunk = migrator(&[(1, "one"), (2, "two"), (3, "three"), (4, name)]);
            let refused = judge(&old, &applied(&shrunk)).unwrap_err();
            assert_eq!(refused, SchemaError::Ahead { version: 4, name: name.to_owned(), known: 3 });
        }
    }

    #[test]
    fn what_was_applied_otherwise_or_in_part_is_refused() {
        let program = migrator(&[(1, "one"), (2, "two")]);
        let mut other = applied(&program);
        other[0].checksum = vec![9];
        assert_eq!(judge(&program, &other), Err(SchemaError::Changed { version: 1 }));
        let mut torn = applied(&program);
        torn[1].success = false;
        assert!(matches!(judge(&program, &torn), Err(SchemaError::Behind { version: 2, .. })));
    }

    #[test]
    fn both_databases_have_the_same_migrations_and_each_says_who_can_live_with_it() {
        let names = |migrator: &Migrator| -> Vec<(i64, String)> {
            migrator.iter().map(|migration| (migration.version, migration.description.to_string())).collect()
        };
        let all = names(&postgres::MIGRATOR);
        assert_eq!(all, names(&sqlite::MIGRATOR));
        for (version, name) in all.into_iter().filter(|(version, _)| *version > FIRST_PROGRAM) {
            let since = since(&name).unwrap_or_else(|| panic!("{version} is named NNNN_since_MMMM_what.sql"));
            assert!((FIRST_PROGRAM..version).contains(&since), "{version}: since {since}");
        }
    }

    #[test]
    fn no_migration_of_postgres_keeps_writers_waiting_for_an_index() {
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
