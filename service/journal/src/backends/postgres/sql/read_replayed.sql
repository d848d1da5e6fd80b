-- True if the standby has replayed the log up to $1, so that it shows everything acknowledged by then.
SELECT coalesce(pg_last_wal_replay_lsn() >= $1::text::pg_lsn, false)
