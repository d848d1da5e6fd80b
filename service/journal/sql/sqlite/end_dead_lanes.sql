-- Lanes of processes that are gone, as the lock on the file shows.
UPDATE lane SET closed = (SELECT max(no) FROM commit_log c WHERE c.lane = lane.lane) WHERE closed IS NULL
