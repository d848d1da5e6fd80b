-- The first fingerprint stays.
INSERT INTO service_key (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING
