INSERT INTO archive_segment (segment_id, state, start_time) VALUES ($1, 'writing', $2)
