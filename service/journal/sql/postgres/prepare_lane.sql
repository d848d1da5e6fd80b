-- A lane's session: an acknowledged commit is on disk, and nothing hangs for ever.
SELECT set_config('synchronous_commit', 'on', false), set_config('plan_cache_mode', 'force_generic_plan', false),
       set_config('statement_timeout', $1, false), set_config('lock_timeout', $1, false)
