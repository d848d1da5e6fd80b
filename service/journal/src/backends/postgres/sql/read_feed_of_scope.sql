-- Like read_feed.sql, but only events of owner $7's matches and of matches with visibility $8 have a public
-- part. The other rows only move the reader's cursor.
SELECT hlc, match_id, seq, record_time, kind, hash, public, sealed_hash
FROM (SELECT seen.*,
             coalesce(sum(octet_length(public)) OVER (ORDER BY hlc, match_id, seq), 0)
                 - coalesce(octet_length(public), 0) AS bytes_before
      FROM (SELECT e.hlc, e.match_id, e.seq, e.record_time, e.kind, e.hash,
                   CASE WHEN m.owner = $7::text OR m.visibility = $8::text THEN e.public END AS public,
                   e.sealed_hash
            FROM (SELECT [[shard, ]]hlc, match_id, seq, record_time, kind, hash, public, sealed_hash
                  FROM event
                  WHERE (hlc, match_id, seq) > ($1, $2, $3) AND hlc <= $4
                  ORDER BY hlc, match_id, seq
                  LIMIT $5) AS e
            LEFT JOIN match m ON [[m.shard = e.shard AND ]]m.match_id = e.match_id) AS seen) AS page
WHERE bytes_before < $6
ORDER BY hlc, match_id, seq
