alter table outbound_part
  -- Under which a request of the platform collects it, if it is one that we never send; else under which it is asked for.
  add column collect_key text;
alter table outbound_part drop constraint outbound_part_status_check;
alter table outbound_part add constraint outbound_part_status_check
  -- Held: kept until the visitor asks for more. Collectable: until the platform comes for it.
  check (status in ('waiting', 'held', 'collectable', 'sent', 'delivered', 'read', 'failed', 'dead', 'withheld'));
create index outbound_part_key on outbound_part (channel_id, lane, collect_key, number)
  where status in ('collectable', 'held') and collect_key is not null;
create index outbound_part_collectable on outbound_part (created_at) where status = 'collectable';

alter table inbound_event
  -- The message that answered it, where somebody waits to hear that.
  add column answer_id text;

-- Under which keys parts of a message are collected, or asked for: {"part", "key", "collected"} of each. Who waits for
-- one is told when the transaction is committed.
create function offer_parts(asked_message text, told jsonb)
returns void
language plpgsql
as $$
begin
  update outbound_part
  set collect_key = offered.key,
      status = case when offered.collected and status = 'waiting' then 'collectable' else status end
  from jsonb_to_recordset(told) as offered (part integer, key text, collected boolean)
  where message_id = asked_message and outbound_part.part = offered.part;
  perform pg_notify('collectable', channel_id || ' ' || collect_key)
  from outbound_part where message_id = asked_message and status = 'collectable'
  group by channel_id, collect_key;
end
$$;

-- Hands over what waits under a key, each part once, oldest first, and says how it stands with the lane:
-- {"parts": [{"content", "since"}], "answering", "withPerson"}. What nobody answers any more is seen after what came of
-- it, so nothing is said to be over while a part of it waits.
create function collect_parts(asked_channel text, asked_lane text, asked_key text, asked_at timestamptz)
returns jsonb
language plpgsql
as $$
declare
  answering boolean;
  person text;
  parts jsonb;
begin
  answering := exists (
    select from inbound_event
    where channel_id = asked_channel and lane = asked_lane and handled_at is null and failure is null
  );
  select conversation.status into person
  from lane join conversation on conversation.id = lane.conversation_id
  where lane.channel_id = asked_channel and lane.lane = asked_lane and conversation.status in ('claimed', 'escalated');
  if person = 'claimed' then
    update outbound_part set status = 'withheld', failure = 'A person took the conversation over.'
    where channel_id = asked_channel and lane = asked_lane and collect_key = asked_key and status in ('collectable', 'held')
      and author = 'bot';
  end if;
  with taken as (
    update outbound_part set status = 'sent', sent_at = asked_at, attempts = attempts + 1
    where channel_id = asked_channel and lane = asked_lane and collect_key = asked_key and status in ('collectable', 'held')
    returning number, content, created_at
  )
  select coalesce(jsonb_agg(jsonb_build_object('content', content, 'since', created_at) order by number), '[]')
  into parts from taken;
  return jsonb_build_object('parts', parts, 'answering', answering, 'withPerson', person is not null);
end
$$;
