-- True for a standby of the cluster $1. A promoted standby has a history of its own.
SELECT pg_is_in_recovery() AND (SELECT system_identifier FROM pg_control_system()) = $1
