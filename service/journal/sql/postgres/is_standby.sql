-- Of the same cluster, and not promoted: one that takes writes of its own goes another way.
SELECT pg_is_in_recovery() AND (SELECT system_identifier FROM pg_control_system()) = $1
