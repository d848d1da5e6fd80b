UPDATE webhook SET revision = revision + 1 WHERE webhook_id = ?1
