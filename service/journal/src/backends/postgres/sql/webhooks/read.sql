SELECT webhook_id, owner, url, kinds, state, key_fingerprint, secret_generation, rotate_time,
       create_time, revision, position, lease_epoch
FROM webhook WHERE webhook_id = $1
