-- Registers a writer and commits its first, empty batch.
WITH opened AS (
    INSERT INTO writer (replica, opened_hlc) VALUES ($1, $2) RETURNING writer
)
INSERT INTO commit_log (writer, batch, hlc, count, body) SELECT writer, 1, $2, 0, $3 FROM opened
RETURNING writer
