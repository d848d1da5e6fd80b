DELETE FROM webhook_delivery WHERE webhook_id = $1 AND position = $2
