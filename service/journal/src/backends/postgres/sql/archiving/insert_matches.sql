INSERT INTO archived_match (match_id, segment_id, seq, hash)
SELECT archived.match_id, $1, archived.seq, archived.hash
FROM unnest($2::uuid[], $3::integer[], $4::bytea[]) AS archived (match_id, seq, hash)
