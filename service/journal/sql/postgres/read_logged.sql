SELECT body FROM commit_log WHERE lane = $1 AND no = $2
