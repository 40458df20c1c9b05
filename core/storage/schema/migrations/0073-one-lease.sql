-- A lane has one lease instead of one for answering and one for sending.
--
-- A process of the version before that is sending keeps the lane for a minute, longer than a call to a platform lasts, so
-- that no other process sends the part again; settle_sent_part records it. Otherwise such a process only stores
-- deliveries: without these functions and columns it can take no lane.
-- step: with functions
drop trigger tell_of_abandoned_lane on lane;
drop function take_lane(text, text, text, text, interval);
drop function take_lane_work(text, text, text, interval, integer);
drop function let_go_of_lane(text, text, text, text, timestamptz);
alter table lane add column holder text, add column held_until timestamptz;
update lane set holder = sending, held_until = clock_timestamp() + interval '1 minute' where sending is not null;
alter table lane
  drop column answering, drop column answering_until, drop column sending, drop column sending_until;
