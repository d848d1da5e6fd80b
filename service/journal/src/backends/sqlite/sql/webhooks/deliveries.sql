SELECT position, kind, status, attempts, create_time, next_time, failure FROM webhook_delivery
WHERE webhook_id = ?1 AND status = ?2 AND position > ?3
ORDER BY position LIMIT ?4
