INSERT INTO deadline ({deadline_columns}) VALUES ({deadline_values})
ON CONFLICT (match_id) DO UPDATE SET seq = excluded.seq, due = excluded.due
