SELECT coalesce(max(lane), 0) FROM lane
