INSERT INTO lane (replica, opened) VALUES (?1, ?2) RETURNING lane
