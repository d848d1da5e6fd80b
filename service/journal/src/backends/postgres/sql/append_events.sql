-- Appends a batch of events that change neither the directory nor deadlines, as most do. See append.sql.
WITH appended AS (
    INSERT INTO event (hlc, writer, batch, {event_columns})
    SELECT $3, $1, $2, {event_columns}
    FROM unnest({event_arrays}) AS new_event ({event_columns})
)
INSERT INTO commit_log (writer, batch, hlc, count, body) VALUES ($1, $2, $3, $4, $5)
