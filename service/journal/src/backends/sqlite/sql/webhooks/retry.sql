-- Makes dead letters pending from ?2 on, all or that of event ?3.
UPDATE webhook_delivery SET status = 'pending', attempts = 0, create_time = ?2, next_time = ?2
WHERE webhook_id = ?1 AND status = 'dead' AND (?3 IS NULL OR substr(position, 9) = ?3)
