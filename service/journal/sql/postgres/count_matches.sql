-- A null parameter stands for "any".
SELECT count(*) FROM match WHERE ($1::text IS NULL OR game = $1) AND created_time >= $2
