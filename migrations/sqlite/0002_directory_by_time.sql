-- The directory is listed by the time of creation, newest first. Each way to filter it has an index in that order, so that
-- a page is a range of one index.
CREATE INDEX match_by_created ON "match" (created_time, match_id);
CREATE INDEX match_by_visibility_created ON "match" (visibility, created_time, match_id);
CREATE INDEX match_by_owner_created ON "match" (owner, created_time, match_id);
CREATE INDEX match_by_status_created ON "match" (status, created_time, match_id);
CREATE INDEX match_by_game_created ON "match" (game, created_time, match_id);
CREATE INDEX match_by_seat_0_created ON "match" (seat_0_player, created_time, match_id);
CREATE INDEX match_by_seat_1_created ON "match" (seat_1_player, created_time, match_id);

DROP INDEX match_by_status;
DROP INDEX match_by_game;
DROP INDEX match_by_seat_0;
DROP INDEX match_by_seat_1;
