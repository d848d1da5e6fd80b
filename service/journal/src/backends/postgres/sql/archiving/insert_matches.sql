INSERT INTO archived_match ([[shard, ]]match_id, segment_id, seq, hash)
SELECT [[match_shard(archived.match_id), ]]archived.match_id, $1, archived.seq, archived.hash
FROM unnest($2::uuid[], $3::integer[], $4::bytea[]) AS archived (match_id, seq, hash)
