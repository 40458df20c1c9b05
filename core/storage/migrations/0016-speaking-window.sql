alter table lane
  -- The visitor asked us not to write to him: so it is until he says otherwise.
  add column opted_out boolean not null default false;

create index outbound_part_held on outbound_part (channel_id, lane, number) where status = 'held';
