-- What waits for a lock on a table has everybody behind it wait too.
SELECT set_config('lock_timeout', $1, false)
