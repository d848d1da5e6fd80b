SELECT match_id, hlc, seq, record_time, kind, request_hash, hash, public, sealed,
       CASE WHEN sealed IS NULL THEN sealed_hash END AS sealed_hash
FROM event
WHERE [[(shard, match_id) IN (SELECT match_shard(id), id FROM unnest($1) AS id)|match_id = ANY ($1)]]
ORDER BY match_id, seq
