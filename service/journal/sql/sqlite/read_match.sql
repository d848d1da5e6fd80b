SELECT match_id, owner, create_request_hash, game, status, visibility, created_time, started_time, ended_time,
       seat_0_player, seat_0_token_hash, seat_0_generation, seat_1_player, seat_1_token_hash, seat_1_generation,
       winner, reason, parent_match_id, parent_seq
FROM "match" WHERE match_id = ?1
