-- Nobody begins to serve until the end of the transaction.
LOCK TABLE writer IN ACCESS EXCLUSIVE MODE
