SELECT name FROM pragma_table_info('match')
