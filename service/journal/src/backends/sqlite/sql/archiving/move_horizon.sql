INSERT INTO archive_horizon (position) VALUES (?1)
ON CONFLICT (one_row) DO UPDATE SET position = max(position, excluded.position)
