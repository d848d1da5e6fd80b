DELETE FROM webhook WHERE webhook_id = $1
