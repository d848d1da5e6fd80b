-- Reads which of these writers lack the commit with this number and hlc. An old one may have been pruned, but
-- only after a later one.
SELECT known.writer
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS known (writer, batch, hlc)
WHERE (SELECT c.batch FROM commit_log c
       WHERE [[c.shard = (SELECT w.shard FROM writer w WHERE w.writer = known.writer)
         AND ]]c.writer = known.writer AND c.batch >= known.batch
         AND (c.batch > known.batch OR c.hlc = known.hlc)
       LIMIT 1) IS NULL
