-- Renews the leases of holder $1 for $2 microseconds.
UPDATE webhook SET lease_until = (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + $2
WHERE lease_holder = $1 AND state = 'enabled' AND key_fingerprint = $3
RETURNING webhook_id, owner, url, kinds, state, key_fingerprint, secret_generation, rotate_time,
       create_time, revision, position, lease_epoch
