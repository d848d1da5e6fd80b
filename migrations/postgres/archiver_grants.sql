-- Not a migration: the rights of the role that archives, for operators who migrate and serve as other roles.
-- Run it as the tables' owner after each migration. The role reads the log, and deletes what it has archived:
-- triggers refuse any other deletion. It can't serve.
GRANT SELECT, DELETE ON event TO matchbook_archiver;
GRANT SELECT ON match, webhook, webhook_delivery, service_key, _sqlx_migrations TO matchbook_archiver;
GRANT SELECT ON sharding TO matchbook_archiver;
GRANT SELECT, INSERT ON archived_match TO matchbook_archiver;
GRANT SELECT, INSERT, UPDATE, DELETE ON archive_segment TO matchbook_archiver;
GRANT SELECT, INSERT, UPDATE ON archive_horizon TO matchbook_archiver;
