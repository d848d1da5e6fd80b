-- The last commit of a lane is never deleted, so this is the largest clock that ever was.
SELECT coalesce(max(clock), 0) FROM commit_log
