-- The feed reads all events in the order of their clocks. A batch has one clock, so an entry of this index is short and
-- always added at its end.
CREATE INDEX event_by_clock ON event (clock);
