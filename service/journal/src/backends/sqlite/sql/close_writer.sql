UPDATE writer SET closing_batch = ?2 WHERE writer = ?1
