-- Replaces what the owner can change, if the webhook still has revision $8.
UPDATE webhook
SET url = $2, kinds = $3, state = $4, key_fingerprint = $5, secret_generation = $6, rotate_time = $7,
    revision = revision + 1
WHERE webhook_id = $1 AND revision = $8
