-- Reads events after a cursor, up to hlc $4 and until their public parts have $6 bytes.
SELECT hlc, match_id, seq, record_time, kind, hash, public, sealed_hash
FROM (SELECT e.*,
             sum(octet_length(public)) OVER (ORDER BY hlc, match_id, seq)
                 - octet_length(public) AS bytes_before
      FROM (SELECT hlc, match_id, seq, record_time, kind, hash, public, sealed_hash
            FROM event
            WHERE (hlc, match_id, seq) > ($1, $2, $3) AND hlc <= $4
            ORDER BY hlc, match_id, seq
            LIMIT $5) AS e) AS page
WHERE bytes_before < $6
ORDER BY hlc, match_id, seq
