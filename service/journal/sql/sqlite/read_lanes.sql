-- How far the log has come, and how far each open lane: one row a lane, or one without a lane. All of one snapshot.
SELECT coalesce((SELECT max(clock) FROM event), 0), coalesce((SELECT max(clock) FROM commit_log), 0), l.replica,
       coalesce((SELECT c.clock FROM commit_log c WHERE c.lane = l.lane ORDER BY c.no DESC LIMIT 1), 0)
FROM (SELECT 1) AS one
LEFT JOIN lane l ON l.closed IS NULL
