-- Inserts a webhook into its owner's lowest free slot below $12, if there is one.
INSERT INTO webhook (webhook_id, owner, slot, url, kinds, state, key_fingerprint, secret_generation,
                     rotate_time, create_time, revision, position)
SELECT $1::uuid, $2::text, free.slot::smallint, $3::text, $4::text, $5::text, $6::bytea, $7::bigint,
       $8::bigint, $9::bigint, $10::bigint, $11::bytea
FROM (SELECT n AS slot FROM generate_series(0, $12::integer - 1) AS n
      WHERE NOT EXISTS (SELECT 1 FROM webhook w WHERE w.owner = $2 AND w.slot = n)
      ORDER BY n LIMIT 1) AS free
ON CONFLICT DO NOTHING
