-- Sets up a writer's session: acknowledged commits are on disk, statements and locks time out after $1 ms.
SELECT set_config('synchronous_commit', 'on', false),
       set_config('plan_cache_mode', 'force_generic_plan', false),
       set_config('statement_timeout', $1, false), set_config('lock_timeout', $1, false)
