-- Appends a batch of events that change neither the directory nor deadlines, as most do. See append.sql.
WITH appended AS (
    INSERT INTO event ([[shard, ]]hlc, writer, batch, {event_columns})
    SELECT [[{shard}, ]]$3, $1,
           CASE WHEN previous_hash IS NULL OR previous_hash = (
               SELECT previous.hash FROM event AS previous
               WHERE [[previous.shard = {shard} AND ]]previous.match_id = new_event.match_id
                 AND previous.seq = new_event.seq - 1)
           THEN $2::bigint END,
           {event_columns}
    FROM (SELECT {event_values}) AS new_event
)
INSERT INTO commit_log ([[shard, ]]writer, batch, hlc, body, count) VALUES ([[{shard}, ]]$1, $2, $3, $5,
    CASE WHEN EXISTS (
        SELECT FROM commit_log WHERE [[shard = {shard} AND ]]writer = $1 AND batch = $2 - 1 AND hlc = $4)
    THEN $6 END)
