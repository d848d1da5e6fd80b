SELECT version, description, checksum, success FROM _sqlx_migrations ORDER BY version
