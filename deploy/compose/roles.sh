#!/bin/sh
# Creates the role of the service. The Postgres image runs this once, when it creates the database. The role's
# rights on tables come from `matchbookd migrate --grant-to matchbook_service`, after each migration.
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
    --set password="$(cat /run/secrets/service_password)" <<'SQL'
CREATE ROLE matchbook_service LOGIN PASSWORD :'password' NOSUPERUSER NOCREATEDB NOCREATEROLE;
-- Up to Postgres 14 every role may create tables in `public`.
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
REVOKE TEMPORARY ON DATABASE matchbook FROM PUBLIC;
SQL
