UPDATE webhook SET lease_until = 0 WHERE lease_holder = $1
