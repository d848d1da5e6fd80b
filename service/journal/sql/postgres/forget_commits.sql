-- Old commits go, a step at a time; a lane's last stays, since it fences late writers.
DELETE FROM commit_log
WHERE (lane, no) IN (
    SELECT c.lane, c.no FROM commit_log c
    WHERE c.clock < $1
      AND EXISTS (SELECT 1 FROM commit_log later WHERE later.lane = c.lane AND later.no = c.no + 1)
    ORDER BY c.clock LIMIT $2)
