SELECT attname::text FROM pg_attribute
WHERE attrelid = 'match'::regclass AND attnum > 0 AND NOT attisdropped
