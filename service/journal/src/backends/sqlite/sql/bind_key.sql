-- Keeps the fingerprint that was bound first.
INSERT INTO service_key (one_row, fingerprint) VALUES (1, ?1) ON CONFLICT DO NOTHING
