SELECT body FROM commit_log WHERE writer = ?1 AND batch = ?2
