-- Keeps the service that was bound first.
INSERT INTO service_key (one_row, fingerprint, name) VALUES (1, ?1, ?2) ON CONFLICT DO NOTHING
