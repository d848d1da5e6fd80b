-- A new lane and its first commit.
WITH opened AS (
    INSERT INTO lane (replica, opened) VALUES ($1, $2) RETURNING lane
)
INSERT INTO commit_log (lane, no, clock, count, body) SELECT lane, 1, $2, 0, $3 FROM opened
RETURNING lane
