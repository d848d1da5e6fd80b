-- As read_feed.sql; what is in no match of the owner ?6 or of the visibility ?7 has no contents,
-- it only moves the reader on.
SELECT e.clock, e.match_id, e.seq, e.recorded_time, e.kind, e.hash,
       CASE WHEN m.owner = ?6 OR m.visibility = ?7 THEN e.public END AS public, e.sealed_hash
FROM (SELECT clock, match_id, seq, recorded_time, kind, hash, public, sealed_hash
      FROM event
      WHERE (clock, match_id, seq) > (?1, ?2, ?3) AND clock <= ?4
      ORDER BY clock, match_id, seq
      LIMIT ?5) AS e
LEFT JOIN "match" m ON m.match_id = e.match_id
ORDER BY e.clock, e.match_id, e.seq
