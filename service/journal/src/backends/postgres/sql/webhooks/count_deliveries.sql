SELECT count(*) FROM webhook_delivery WHERE webhook_id = $1 AND status = $2
