-- Commits an empty batch: a keep-alive, or a step of the feed's frontier.
INSERT INTO commit_log (writer, batch, hlc, count, body) VALUES ($1, $2, $3, 0, $4)
