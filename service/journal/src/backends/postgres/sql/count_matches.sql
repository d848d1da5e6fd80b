-- Counts the matches of a game, or of all games if $1 is null.
SELECT count(*) FROM match WHERE ($1::text IS NULL OR game = $1) AND create_time >= $2
