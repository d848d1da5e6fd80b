-- Not a migration: what the service's role needs, for an operator who lets another role migrate. Run it after each
-- migration, as the tables' owner. The role can add to the log and read it, and no more.
GRANT SELECT, INSERT ON event TO matchbook_service;
GRANT SELECT, INSERT, UPDATE ON match, lane TO matchbook_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON deadline TO matchbook_service;
GRANT SELECT, INSERT, DELETE ON commit_log TO matchbook_service;
-- `matchbookd key rotate` needs UPDATE as well: the owner runs it.
GRANT SELECT, INSERT ON service_key TO matchbook_service;
GRANT SELECT ON _sqlx_migrations TO matchbook_service;
