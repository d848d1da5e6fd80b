-- Whether the standby shows everything that was acknowledged when the primary was at this place.
SELECT coalesce(pg_last_wal_replay_lsn() >= $1::text::pg_lsn, false)
