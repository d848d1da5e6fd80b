-- Inserts as many events as there are rows of values: a statement costs more than a row.
INSERT INTO event (hlc, writer, batch, {event_columns}) VALUES {event_rows}
