-- What proves that a channel works. Of installed channels it is read from their rows once.
alter table channel add column verified_at timestamptz;
alter table channel add column refused_at timestamptz;
alter table channel add column first_message_at timestamptz;
alter table channel add column first_answer_at timestamptz;
update channel set
  verified_at = case when status = 'connected' then coalesce(heard_at, created_at) end,
  first_message_at = (select min(heard_at) from lane where lane.channel_id = channel.id),
  first_answer_at = (
    select min(sent_at) from outbound_part
    where outbound_part.channel_id = channel.id and outbound_part.status in ('sent', 'delivered', 'read')
  );
