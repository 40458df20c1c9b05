-- The words and descriptions that models gave for the files of an event that waits for its answer.
alter table inbound_event add column media_readings jsonb;
