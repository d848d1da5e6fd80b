-- `one_row` is named: SQLite numbers an integer key that is left out, whatever its default is.
INSERT INTO archive_horizon (one_row, position) VALUES (1, ?1)
ON CONFLICT (one_row) DO UPDATE SET position = max(position, excluded.position)
