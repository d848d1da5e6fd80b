-- Sets up a reader's session: statements time out after $1 ms.
SELECT set_config('statement_timeout', $1, false)
