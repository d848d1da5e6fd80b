INSERT INTO commit_log (writer, batch, hlc, count, body) VALUES (?1, ?2, ?3, ?4, ?5)
