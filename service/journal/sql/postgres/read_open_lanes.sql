-- The lanes of others that are open, each with its last commit.
SELECT l.lane, h.no, h.clock
FROM lane l
CROSS JOIN LATERAL (
    SELECT c.no, c.clock FROM commit_log c WHERE c.lane = l.lane ORDER BY c.no DESC LIMIT 1) AS h
WHERE l.closed IS NULL AND l.replica <> $1
