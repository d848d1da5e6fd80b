-- A null parameter stands for "any"; $1 is for everything, $2 an owner whose own matches show.
SELECT match_id, owner, create_request_hash, game, status, visibility, created_time, started_time, ended_time,
       seat_0_player, seat_0_token_hash, seat_0_generation, seat_1_player, seat_1_token_hash, seat_1_generation,
       winner, reason, parent_match_id, parent_seq
FROM match
WHERE ($1::boolean OR visibility = 'public' OR owner = $2)
  AND ($3::text IS NULL OR game = $3)
  AND ($4::text IS NULL OR status = $4)
  AND ($5::text IS NULL OR seat_0_player = $5 OR seat_1_player = $5)
  AND ($6::uuid IS NULL OR match_id < $6)
ORDER BY match_id DESC
LIMIT $7
