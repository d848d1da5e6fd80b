-- Inserts a webhook into its owner's lowest free slot below ?12, if there is one.
WITH RECURSIVE number (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < ?12)
INSERT INTO webhook (webhook_id, owner, slot, url, kinds, state, key_fingerprint, secret_generation,
                     rotate_time, create_time, revision, position)
SELECT ?1, ?2, free.slot, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11
FROM (SELECT n AS slot FROM number
      WHERE NOT EXISTS (SELECT 1 FROM webhook w WHERE w.owner = ?2 AND w.slot = n)
      ORDER BY n LIMIT 1) AS free
WHERE true
ON CONFLICT DO NOTHING
