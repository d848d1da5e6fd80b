-- A reader's session.
SELECT set_config('statement_timeout', $1, false)
