-- Keeps the service that was bound first.
INSERT INTO service_key (fingerprint, name) VALUES ($1, $2) ON CONFLICT DO NOTHING
