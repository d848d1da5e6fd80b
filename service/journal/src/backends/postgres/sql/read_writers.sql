-- Reads, in one snapshot, the newest hlc of all events and of all commits, and the last hlc of each open
-- writer: a row per open writer, or one row without a replica.
SELECT coalesce((SELECT max(hlc) FROM event), 0), coalesce((SELECT max(hlc) FROM commit_log), 0), w.replica,
       coalesce((SELECT c.hlc FROM commit_log c WHERE [[c.shard = w.shard AND ]]c.writer = w.writer
                 ORDER BY c.batch DESC LIMIT 1), 0)
FROM (SELECT 1) AS one
LEFT JOIN writer w ON w.closing_batch IS NULL
