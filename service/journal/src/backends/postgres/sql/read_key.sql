SELECT fingerprint, name, previous_name FROM service_key
