-- Reads the last seq of a match, and the hash of its event with seq ?2.
SELECT seq, (SELECT hash FROM event WHERE match_id = ?1 AND seq = ?2)
FROM event WHERE match_id = ?1 ORDER BY seq DESC LIMIT 1
