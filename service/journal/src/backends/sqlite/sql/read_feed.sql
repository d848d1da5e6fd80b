-- Reads events after a cursor, up to hlc ?4 and until their public parts have ?6 bytes. The sum reads lengths
-- only, so that large parts beyond the page stay on disk.
SELECT e.hlc, e.match_id, e.seq, e.record_time, e.kind, e.hash, e.public, e.sealed_hash
FROM (SELECT hlc, match_id, seq, sum(bytes) OVER (ORDER BY hlc, match_id, seq) - bytes AS bytes_before
      FROM (SELECT hlc, match_id, seq, length(public) AS bytes
            FROM event
            WHERE (hlc, match_id, seq) > (?1, ?2, ?3) AND hlc <= ?4
            ORDER BY hlc, match_id, seq
            LIMIT ?5)) AS page
JOIN event e ON e.match_id = page.match_id AND e.seq = page.seq
WHERE page.bytes_before < ?6
ORDER BY e.hlc, e.match_id, e.seq
