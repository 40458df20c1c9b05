-- Whether a part was taken by its platform nobody may have heard: it did not answer, or who had asked it is dead.
alter table outbound_part add column in_doubt boolean not null default false;

-- Who had a lane and is gone may have sent what comes first in it.
create function doubt_first_part(asked_channel text, asked_lane text)
returns void
language plpgsql
as $$
begin
  update outbound_part set in_doubt = true
  where number = (
    select number from outbound_part
    where channel_id = asked_channel and lane = asked_lane and status = 'waiting'
    order by number limit 1
  );
end
$$;

-- As before, with that.
create or replace function take_lane(asked_channel text, asked_lane text, asked_role text, token text, lease interval)
returns boolean
language plpgsql
as $$
declare
  sender text;
begin
  select sending into sender from lane where channel_id = asked_channel and lane = asked_lane for update;
  if asked_role = 'answering' then
    update lane set answering = token, answering_until = clock_timestamp() + lease
    where channel_id = asked_channel and lane = asked_lane
      and (answering is null or answering_until < clock_timestamp());
    return found;
  end if;
  update lane set sending = token, sending_until = clock_timestamp() + lease
  where channel_id = asked_channel and lane = asked_lane
    and (sending is null or sending_until < clock_timestamp());
  if not found then return false; end if;
  if sender is not null then perform doubt_first_part(asked_channel, asked_lane); end if;
  return true;
end
$$;

-- As before, and tells whether the part is in doubt.
create or replace function next_part(asked_channel text, asked_lane text)
returns jsonb
language plpgsql
as $$
declare
  waiting jsonb;
begin
  select jsonb_build_object(
    'number', part.number::text, 'content', part.content, 'attempts', part.attempts, 'due_at', part.next_attempt_at,
    'since', part.created_at, 'author', part.author, 'draft', part.draft, 'message_id', part.message_id,
    'in_doubt', part.in_doubt,
    'address', lane.address, 'heard_at', lane.heard_at, 'opted_out', lane.opted_out, 'status', conversation.status
  )
  into waiting from outbound_part as part
  join lane on lane.channel_id = part.channel_id and lane.lane = part.lane
  join conversation on conversation.id = part.conversation_id
  where part.channel_id = asked_channel and part.lane = asked_lane and part.status = 'waiting'
  order by part.number limit 1;
  return waiting;
end
$$;

-- As before, and what one who is gone left in the lane is in doubt.
create or replace function commit_channel_turn(
  asked_channel text,
  asked_lane text,
  token text,
  sending_token text,
  lease interval,
  asked_workspace text,
  asked_conversation text,
  asked_message text,
  asked_address jsonb,
  parts jsonb,
  numbers bigint[],
  asked_at timestamptz,
  asked_heard timestamptz
)
returns jsonb
language plpgsql
as $$
declare
  sender text;
  earlier text;
  handled bigint;
begin
  update lane
  set conversation_id = asked_conversation, address = asked_address, reachable = true, draft = null,
      heard_at = greatest(heard_at, asked_heard),
      sending = case when sending_token is not null and (sending is null or sending_until < clock_timestamp())
                     then sending_token else sending end,
      sending_until = case when sending_token is not null and (sending is null or sending_until < clock_timestamp())
                           then clock_timestamp() + lease else sending_until end
  where channel_id = asked_channel and lane = asked_lane and answering = token
  -- The statement sees the row there as it was.
  returning sending, (select before.sending from lane as before
                      where before.channel_id = asked_channel and before.lane = asked_lane)
  into sender, earlier;
  if not found then raise exception 'the lane went to another process' using errcode = 'PY001'; end if;
  if exists (select from conversation where id = asked_conversation and status || '' = 'claimed') then
    raise exception 'a person took the conversation over' using errcode = 'PY002';
  end if;
  if earlier is not null and sender is distinct from earlier then
    perform doubt_first_part(asked_channel, asked_lane);
  end if;
  perform queue_parts(asked_channel, asked_workspace, asked_lane, asked_conversation, asked_message, 'bot', parts,
                      asked_at);
  -- One by one: what is planned for an array is planned for each anew, or once and for all while the table is empty.
  foreach handled in array numbers loop
    update inbound_event set handled_at = asked_at, native = 'null', answer_id = asked_message
    where channel_id || '' = asked_channel and number = handled;
  end loop;
  if sender is distinct from sending_token or sending_token is null then
    return jsonb_build_object('sending', false, 'next', null);
  end if;
  return jsonb_build_object('sending', true, 'next', next_part(asked_channel, asked_lane));
end
$$;
