-- Replaces a delivery's row, if the lease still has epoch ?2.
UPDATE webhook_delivery
SET kind = ?4, status = ?5, attempts = ?6, create_time = ?7, next_time = ?8, failure = ?9
WHERE webhook_id = ?1 AND position = ?3
  AND EXISTS (SELECT 1 FROM webhook w WHERE w.webhook_id = ?1 AND w.lease_epoch = ?2)
