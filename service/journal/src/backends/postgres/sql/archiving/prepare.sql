SELECT set_config('synchronous_commit', 'on', false), set_config('statement_timeout', '0', false)
