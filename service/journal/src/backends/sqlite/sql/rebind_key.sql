-- Changes nothing if another key is bound.
UPDATE service_key SET fingerprint = ?2, name = ?3, previous_name = name WHERE fingerprint = ?1
