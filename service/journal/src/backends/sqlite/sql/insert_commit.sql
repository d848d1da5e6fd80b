-- Commits a batch. It gets no count, which its column requires, unless it is the writer's first or the batch
-- before is there with its hlc.
INSERT INTO commit_log (writer, batch, hlc, body, count) VALUES (?1, ?2, ?3, ?5, CASE
    WHEN ?2 = 1 OR EXISTS (SELECT 1 FROM commit_log WHERE writer = ?1 AND batch = ?2 - 1 AND hlc = ?4) THEN ?6
END)
