-- Takes at most ?4 leases that were free at ?5 for holder ?1, until ?2.
UPDATE webhook SET lease_holder = ?1, lease_epoch = lease_epoch + 1, lease_until = ?2
WHERE webhook_id IN (
    SELECT webhook_id FROM webhook
    WHERE state = 'enabled' AND key_fingerprint = ?3 AND lease_holder IS NOT ?1 AND lease_until <= ?5
    ORDER BY webhook_id LIMIT ?4)
