-- One archiver at a time. The lock ends with the session.
SELECT pg_try_advisory_lock(7038329487462392)
