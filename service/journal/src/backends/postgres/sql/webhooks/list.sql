-- Reads the webhooks of owner $1, or of all, after $2.
SELECT webhook_id, owner, url, kinds, state, key_fingerprint, secret_generation, rotate_time,
       create_time, revision, position, lease_epoch
FROM webhook
WHERE ($1::text IS NULL OR owner = $1) AND ($2::uuid IS NULL OR webhook_id > $2)
ORDER BY webhook_id LIMIT $3
