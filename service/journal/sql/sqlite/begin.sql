-- Takes the write lock at once: a transaction that started as a reader could lose its upgrade.
BEGIN IMMEDIATE
