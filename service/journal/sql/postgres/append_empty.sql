-- An empty commit: the lane lives.
INSERT INTO commit_log (lane, no, clock, count, body) VALUES ($1, $2, $3, 0, $4)
