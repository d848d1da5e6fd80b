-- Inserts as many events as there are rows of values: a statement costs more than a row. An event whose
-- predecessor is missing or has another hash gets no batch, which its column requires.
INSERT INTO event (hlc, writer, batch, {event_columns}) VALUES {event_rows}
