UPDATE webhook SET position = ?3 WHERE webhook_id = ?1 AND lease_epoch = ?2
