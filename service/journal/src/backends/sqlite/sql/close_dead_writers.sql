-- Closes the writers of earlier processes. They are gone: this process holds the lock on the file.
UPDATE writer SET closing_batch = (SELECT max(batch) FROM commit_log c WHERE c.writer = writer.writer)
WHERE closing_batch IS NULL
