-- Appends a batch of events that change neither the directory nor deadlines, as most do. See append.sql.
WITH appended AS (
    INSERT INTO event (hlc, writer, batch, {event_columns})
    SELECT $3, $1,
           CASE WHEN previous_hash IS NULL OR previous_hash = (
               SELECT previous.hash FROM event AS previous
               WHERE previous.match_id = new_event.match_id AND previous.seq = new_event.seq - 1)
           THEN $2::bigint END,
           {event_columns}
    FROM (SELECT {event_values}) AS new_event
)
INSERT INTO commit_log (writer, batch, hlc, body, count) VALUES ($1, $2, $3, $5,
    CASE WHEN EXISTS (SELECT FROM commit_log WHERE writer = $1 AND batch = $2 - 1 AND hlc = $4) THEN $6 END)
