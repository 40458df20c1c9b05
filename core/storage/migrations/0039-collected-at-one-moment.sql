-- As before, and what it tells is of one moment: a request that takes all of an answer along is not told that more is coming.
create or replace function collect_parts(asked_channel text, asked_lane text, asked_key text, asked_at timestamptz)
returns jsonb
language plpgsql
as $$
declare
  person text;
  collected jsonb;
begin
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
  select jsonb_build_object(
    'parts', coalesce(jsonb_agg(jsonb_build_object('content', content, 'since', created_at) order by number), '[]'),
    'answering', exists (
      select from inbound_event
      where channel_id = asked_channel and lane = asked_lane and handled_at is null and failure is null
    ),
    'withPerson', person is not null
  )
  into collected from taken;
  return collected;
end
$$;
