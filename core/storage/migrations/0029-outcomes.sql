alter table outbound_part
  -- When the platform is asked what became of it, should it not have told by then; null where it is not.
  add column ask_at timestamptz;

create index outbound_part_to_ask on outbound_part (ask_at) where ask_at is not null and status = 'sent';
