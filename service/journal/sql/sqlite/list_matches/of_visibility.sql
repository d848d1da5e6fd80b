-- Those of one visibility that fit, by time. SQLite plans before it knows the parameters, so each index has its statement.
SELECT match_id, owner, create_request_hash, game, status, visibility, created_time, started_time, ended_time,
       seat_0_player, seat_0_token_hash, seat_0_generation, seat_1_player, seat_1_token_hash, seat_1_generation,
       winner, reason, parent_match_id, parent_seq
FROM "match"
WHERE visibility = ?1
  AND (?2 IS NULL OR owner = ?2)
  AND (?3 IS NULL OR seat_0_player = ?3)
  AND (?4 IS NULL OR seat_1_player = ?4)
  AND (?5 IS NULL OR game = ?5)
  AND (?6 IS NULL OR status = ?6)
  AND created_time >= ?7
  AND (created_time, match_id) < (?8, ?9)
ORDER BY created_time DESC, match_id DESC
LIMIT ?10
