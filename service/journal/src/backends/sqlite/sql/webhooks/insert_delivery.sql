-- Stores an event that was not delivered, if the lease still has epoch ?2.
INSERT INTO webhook_delivery (webhook_id, position, kind, status, attempts, create_time, next_time, failure)
SELECT ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9
WHERE EXISTS (SELECT 1 FROM webhook WHERE webhook_id = ?1 AND lease_epoch = ?2)
ON CONFLICT DO NOTHING
