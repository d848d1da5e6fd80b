INSERT INTO "match" ({match_columns}) VALUES ({match_values})
ON CONFLICT (match_id) DO UPDATE SET {match_assignments}
