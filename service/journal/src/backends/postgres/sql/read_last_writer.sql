SELECT coalesce(max(writer), 0) FROM writer
