INSERT INTO deadline (match_id, seq, due) VALUES (?1, ?2, ?3)
ON CONFLICT (match_id) DO UPDATE SET seq = excluded.seq, due = excluded.due
