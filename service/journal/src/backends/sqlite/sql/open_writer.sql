INSERT INTO writer (replica, opened_hlc) VALUES (?1, ?2) RETURNING writer
