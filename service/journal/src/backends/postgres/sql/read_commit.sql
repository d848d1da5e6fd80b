SELECT body FROM commit_log WHERE [[shard = {shard} AND ]]writer = $1 AND batch = $2
