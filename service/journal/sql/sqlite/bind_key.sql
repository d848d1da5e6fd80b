-- The first fingerprint stays.
INSERT INTO service_key (one_row, fingerprint) VALUES (1, ?1) ON CONFLICT DO NOTHING
