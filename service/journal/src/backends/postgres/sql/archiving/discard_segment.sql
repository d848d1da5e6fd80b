DELETE FROM archive_segment WHERE segment_id = $1 AND state = 'writing'
