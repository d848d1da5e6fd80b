SELECT set_config('matchbook.archiving', 'on', true)
