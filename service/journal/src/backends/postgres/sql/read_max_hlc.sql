-- A writer's last commit is never pruned, so this is the largest hlc ever committed.
SELECT coalesce(max(hlc), 0) FROM commit_log
