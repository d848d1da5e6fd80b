-- True if nobody has ever served the database, so that it has no match.
SELECT NOT EXISTS (SELECT FROM writer)
