-- Asked again and again rather than waited for: a statement that waits would hold up CREATE INDEX CONCURRENTLY.
SELECT pg_try_advisory_lock(7038329487462391)
