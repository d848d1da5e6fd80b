INSERT INTO match_label ({label_columns}) VALUES ({label_values})
