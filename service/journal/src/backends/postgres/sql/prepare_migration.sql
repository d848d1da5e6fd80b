-- Limits the wait for a table lock: everyone who comes later queues behind the waiting migration.
SELECT set_config('lock_timeout', $1, false)
