-- Keeps the fingerprint that was bound first.
INSERT INTO service_key (fingerprint) VALUES ($1) ON CONFLICT DO NOTHING
