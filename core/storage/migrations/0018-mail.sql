-- Who was heard of last in a lane: some channels answer nobody without end.
alter table lane add column sender text;
create index lane_sender on lane (channel_id, sender) where sender is not null;
create index outbound_part_answers on outbound_part (channel_id, lane, created_at) where author = 'bot';
