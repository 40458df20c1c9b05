-- What proves that a channel works. Of installed channels it is read from their rows once.
alter table channel add column verified_at timestamptz;
alter table channel add column refused_at timestamptz;
alter table channel add column first_message_at timestamptz;
alter table channel add column first_answer_at timestamptz;

-- step: batches
with batch as materialized (
  select id, case when status = 'connected' then coalesce(heard_at, created_at) end as verified_at,
         (select min(heard_at) from lane where lane.channel_id = channel.id) as first_message_at,
         (
           select min(sent_at) from outbound_part
           where outbound_part.channel_id = channel.id and outbound_part.status in ('sent', 'delivered', 'read')
         ) as first_answer_at
  from channel where id > :after order by id limit 20
),
changed as (
  update channel set
    verified_at = coalesce(channel.verified_at, batch.verified_at),
    first_message_at = coalesce(channel.first_message_at, batch.first_message_at),
    first_answer_at = coalesce(channel.first_answer_at, batch.first_answer_at)
  from batch where channel.id = batch.id
)
select max(id) as last from batch;
