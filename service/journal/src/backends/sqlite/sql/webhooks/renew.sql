-- Renews the leases of holder ?1 until ?2.
UPDATE webhook SET lease_until = ?2 WHERE lease_holder = ?1 AND state = 'enabled' AND key_fingerprint = ?3
