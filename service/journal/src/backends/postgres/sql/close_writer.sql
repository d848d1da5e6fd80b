-- Closes a writer with an empty commit. A late batch of that writer finds its number taken.
WITH closed AS (
    UPDATE writer SET closing_batch = $2 WHERE writer = $1
)
INSERT INTO commit_log (writer, batch, hlc, count, body) VALUES ($1, $2, $3, 0, $4)
