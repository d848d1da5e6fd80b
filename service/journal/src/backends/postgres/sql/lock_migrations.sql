-- Polled instead of waited for: a waiting statement would block CREATE INDEX CONCURRENTLY.
SELECT pg_try_advisory_lock(7038329487462391)
