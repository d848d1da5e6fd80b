-- Takes the write lock at once: a transaction that starts as a reader can fail to upgrade.
BEGIN IMMEDIATE
