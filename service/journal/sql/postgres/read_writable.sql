-- A standby, and a server that was set so, take no writes.
SELECT NOT current_setting('transaction_read_only')::boolean
