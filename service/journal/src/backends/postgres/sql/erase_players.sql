-- Erases the players of these seats, and tells other replicas by a commit without events. Fails if the
-- writer's batch before is missing.
WITH erased AS (
    UPDATE match_seat AS s SET salt = NULL, display_name = NULL, player_id = NULL
    FROM unnest($6::uuid[], $7::smallint[]) AS e (match_id, seat)
    WHERE [[s.shard = {shard} AND ]]s.match_id = e.match_id AND s.seat = e.seat
)
INSERT INTO commit_log ([[shard, ]]writer, batch, hlc, body, count) VALUES ([[{shard}, ]]$1, $2, $3, $5,
    CASE WHEN EXISTS (
        SELECT FROM commit_log WHERE [[shard = {shard} AND ]]writer = $1 AND batch = $2 - 1 AND hlc = $4)
    THEN 0 END)
