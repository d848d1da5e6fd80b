INSERT INTO "match" (match_id, owner, create_request_hash, game, status, visibility, created_time, started_time,
                     ended_time, seat_0_player, seat_0_token_hash, seat_0_generation, seat_1_player,
                     seat_1_token_hash, seat_1_generation, winner, reason, parent_match_id, parent_seq)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
ON CONFLICT (match_id) DO UPDATE SET
    owner = excluded.owner, create_request_hash = excluded.create_request_hash, game = excluded.game,
    status = excluded.status, visibility = excluded.visibility, created_time = excluded.created_time,
    started_time = excluded.started_time, ended_time = excluded.ended_time,
    seat_0_player = excluded.seat_0_player, seat_0_token_hash = excluded.seat_0_token_hash,
    seat_0_generation = excluded.seat_0_generation, seat_1_player = excluded.seat_1_player,
    seat_1_token_hash = excluded.seat_1_token_hash, seat_1_generation = excluded.seat_1_generation,
    winner = excluded.winner, reason = excluded.reason, parent_match_id = excluded.parent_match_id,
    parent_seq = excluded.parent_seq
