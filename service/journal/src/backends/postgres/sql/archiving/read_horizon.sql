SELECT position FROM archive_horizon
