-- What was given up is counted and listed with what was refused for good.
drop index outbound_part_dead;
create index outbound_part_given_up on outbound_part (channel_id, number) where status in ('dead', 'failed');
