-- Reads the webhooks of owner $3 after $1.
SELECT webhook_id, owner, url, kinds, state, key_fingerprint, secret_generation, rotate_time,
       create_time, revision, position, lease_epoch
FROM webhook
WHERE owner = $3 AND ($1::uuid IS NULL OR webhook_id > $1)
ORDER BY webhook_id LIMIT $2
