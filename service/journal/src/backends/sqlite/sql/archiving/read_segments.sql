SELECT segment_id, state, matches, events, bytes FROM archive_segment ORDER BY segment_id
