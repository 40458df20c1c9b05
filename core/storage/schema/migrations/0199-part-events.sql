-- The platform's id of the first event that the part's message answers: the process that sends a part finds the trace of the
-- message by it. Null for messages that answer no event, and for parts of the version before.
alter table outbound_part add column event_id text;
