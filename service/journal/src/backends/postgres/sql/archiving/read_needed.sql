-- Reads the first position up to which a webhook has read the feed, and the first one of an event that may be
-- sent again.
SELECT (SELECT position FROM webhook ORDER BY position LIMIT 1),
       (SELECT position FROM webhook_delivery ORDER BY position LIMIT 1)
