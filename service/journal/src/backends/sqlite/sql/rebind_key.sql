-- Changes nothing if another key is bound.
UPDATE service_key SET fingerprint = ?2 WHERE fingerprint = ?1
