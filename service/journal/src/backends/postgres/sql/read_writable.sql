-- False on a standby and on a server that is set to read-only.
SELECT NOT current_setting('transaction_read_only')::boolean
