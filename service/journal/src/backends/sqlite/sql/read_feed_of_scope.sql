-- Like read_feed.sql, but only events of owner ?7's matches and of matches with visibility ?8 have a public
-- part. The other rows only move the reader's cursor.
SELECT e.hlc, e.match_id, e.seq, e.record_time, e.kind, e.hash,
       CASE WHEN page.is_seen THEN e.public END AS public, e.sealed_hash
FROM (SELECT hlc, match_id, seq, is_seen,
             sum(bytes) OVER (ORDER BY hlc, match_id, seq) - bytes AS bytes_before
      FROM (SELECT s.hlc, s.match_id, s.seq, (m.owner = ?7 OR m.visibility = ?8) AS is_seen,
                   CASE WHEN m.owner = ?7 OR m.visibility = ?8 THEN s.bytes ELSE 0 END AS bytes
            FROM (SELECT hlc, match_id, seq, length(public) AS bytes
                  FROM event
                  WHERE (hlc, match_id, seq) > (?1, ?2, ?3) AND hlc <= ?4
                  ORDER BY hlc, match_id, seq
                  LIMIT ?5) AS s
            LEFT JOIN "match" m ON m.match_id = s.match_id)) AS page
JOIN event e ON e.match_id = page.match_id AND e.seq = page.seq
WHERE page.bytes_before < ?6
ORDER BY e.hlc, e.match_id, e.seq
