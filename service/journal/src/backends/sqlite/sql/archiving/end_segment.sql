UPDATE archive_segment SET state = 'archived', matches = ?2, events = ?3, bytes = ?4
WHERE segment_id = ?1 AND state = 'writing'
