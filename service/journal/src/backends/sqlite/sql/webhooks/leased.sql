-- Reads the webhooks whose lease holder ?1 has until ?2.
SELECT webhook_id, owner, url, kinds, state, key_fingerprint, secret_generation, rotate_time,
       create_time, revision, position, lease_epoch
FROM webhook WHERE lease_holder = ?1 AND lease_until = ?2
