SELECT to_regclass('_sqlx_migrations') IS NOT NULL
