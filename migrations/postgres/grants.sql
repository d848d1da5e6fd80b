-- Not a migration: the rights of the role that serves, for operators who migrate as another role. Run it as
-- the tables' owner after each migration. The role can append to the log and read it, but not change it.
GRANT SELECT, INSERT ON event TO matchbook_service;
GRANT SELECT, INSERT, UPDATE ON match, match_seat, writer TO matchbook_service;
GRANT SELECT, INSERT, DELETE ON match_label TO matchbook_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON deadline TO matchbook_service;
GRANT SELECT, INSERT, DELETE ON commit_log TO matchbook_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook, webhook_delivery TO matchbook_service;
-- `matchbookd key rotate` also needs UPDATE: run it as the owner.
GRANT SELECT, INSERT ON service_key TO matchbook_service;
GRANT SELECT ON archived_match, archive_horizon, sharding TO matchbook_service;
GRANT SELECT ON _sqlx_migrations TO matchbook_service;
