#!/bin/sh
# Run once by the Postgres image, when it makes the database: the role that serves. What it may do to the tables is granted
# by `matchbookd migrate --grant-to matchbook_service`, after each migration.
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
    --set password="$(cat /run/secrets/service_password)" <<'SQL'
CREATE ROLE matchbook_service LOGIN PASSWORD :'password' NOSUPERUSER NOCREATEDB NOCREATEROLE;
-- Until Postgres 14 everybody may make tables in `public`.
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
REVOKE TEMPORARY ON DATABASE matchbook FROM PUBLIC;
SQL
