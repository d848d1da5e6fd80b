-- Sets up a reader's session: statements time out after $1 ms, and a list reads an index in its order, as far
-- as the page goes. With old statistics, the planner may choose to read all of a range and sort it.
SELECT set_config('statement_timeout', $1, false), set_config('enable_bitmapscan', 'off', false)
