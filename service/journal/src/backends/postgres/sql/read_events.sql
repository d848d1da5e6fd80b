SELECT hlc, seq, record_time, kind, request_hash, hash, public, sealed,
       CASE WHEN sealed IS NULL THEN sealed_hash END AS sealed_hash
FROM event WHERE [[shard = match_shard($1) AND ]]match_id = $1 AND seq > $2 ORDER BY seq LIMIT $3
