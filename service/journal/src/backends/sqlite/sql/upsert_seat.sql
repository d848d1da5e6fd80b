-- The player is written once: an erased one never comes back.
INSERT INTO match_seat ({seat_columns}) VALUES ({seat_values})
ON CONFLICT (match_id, seat) DO UPDATE SET token_hash = excluded.token_hash, generation = excluded.generation
WHERE match_seat.generation < excluded.generation
