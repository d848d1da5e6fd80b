UPDATE lane SET closed = ?2 WHERE lane = ?1
