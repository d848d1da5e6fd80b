-- Appends a batch: its events, and the changes of the directory and of deadlines that they bring. Inserting
-- into commit_log is the main statement, so Postgres checks that key before the others.
--
-- Two checks make the whole statement fail if the database is not the one that the writer knows. An event
-- whose predecessor is missing or has another hash gets no batch, which its column requires. The commit gets
-- no count unless the writer's batch before is there, with its hlc. A check that merely selected no row would
-- drop the event and commit the rest.
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
), projected AS (
    INSERT INTO match ([[shard, ]]{match_columns})
    SELECT [[{shard}, ]]{match_columns}
    FROM unnest({match_arrays}) AS new_match ({match_columns})
    ON CONFLICT ([[shard, ]]match_id) DO UPDATE SET {match_assignments}
), seated AS (
    INSERT INTO match_seat ([[shard, ]]{seat_columns})
    SELECT [[{shard}, ]]{seat_columns}
    FROM unnest({seat_arrays}) AS new_seat ({seat_columns})
    -- The player is written once: an erased one never comes back.
    ON CONFLICT ([[shard, ]]match_id, seat) DO UPDATE
    SET token_hash = excluded.token_hash, generation = excluded.generation
    WHERE match_seat.generation < excluded.generation
), labelled AS (
    INSERT INTO match_label ([[shard, ]]{label_columns})
    SELECT [[{shard}, ]]{label_columns}
    FROM unnest({label_arrays}) AS new_label ({label_columns})
), scheduled AS (
    INSERT INTO deadline ([[shard, ]]{deadline_columns})
    SELECT [[{shard}, ]]{deadline_columns}
    FROM unnest({deadline_arrays}) AS new_deadline ({deadline_columns})
    ON CONFLICT ([[shard, ]]match_id) DO UPDATE SET seq = excluded.seq, due = excluded.due
), cleared AS (
    DELETE FROM deadline WHERE [[shard = {shard} AND ]]match_id = ANY ({cleared_array})
)
INSERT INTO commit_log ([[shard, ]]writer, batch, hlc, body, count) VALUES ([[{shard}, ]]$1, $2, $3, $5,
    CASE WHEN EXISTS (
        SELECT FROM commit_log WHERE [[shard = {shard} AND ]]writer = $1 AND batch = $2 - 1 AND hlc = $4)
    THEN $6 END)
