SELECT fingerprint FROM service_key
