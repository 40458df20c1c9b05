-- What is done for every message, in as few round trips as it can be. In plpgsql, which keeps the plans of its statements.

-- What waits in a lane, and where its conversation stands:
-- {"opted_out", "joined", "conversation", "workspace", "events"}.
create function lane_work(asked_channel text, asked_lane text, most integer)
returns jsonb
language plpgsql
as $$
declare
  work jsonb;
begin
  select jsonb_build_object(
    'opted_out', lane.opted_out,
    'joined', lane.conversation_id is not null,
    'conversation', (
      select jsonb_build_object('id', id, 'session_id', session_id, 'status', status, 'resolved_at', resolved_at)
      from conversation where id = lane.conversation_id
    ),
    'workspace', (
      select jsonb_build_object('id', id, 'owner_id', owner_id, 'name', name, 'plan', plan, 'settings', settings,
                                'public_token', public_token, 'created_at', created_at)
      from workspace where id = lane.workspace_id and deleted_at is null
    ),
    'events', coalesce((
      select jsonb_agg(event order by position) from (
        select number as position, jsonb_build_object(
          'number', number::text, 'native', native, 'attempts', attempts, 'received_at', received_at,
          'wait_ms', greatest(0, extract(epoch from settled_at - clock_timestamp()) * 1000)
        ) as event
        from inbound_event
        where channel_id = asked_channel and inbound_event.lane = asked_lane and handled_at is null and failure is null
        order by number limit most
      ) as waiting
    ), '[]')
  )
  into work from lane where lane.channel_id = asked_channel and lane.lane = asked_lane;
  return work;
end
$$;

-- Takes a lane to answer in it, and tells what waits there; null where somebody else has it. The second statement sees
-- what whoever had it last has done.
create function take_lane_work(asked_channel text, asked_lane text, token text, lease interval, most integer)
returns jsonb
language plpgsql
as $$
begin
  -- A lease need not outlive the machine: nobody waits for the disk here.
  perform set_config('synchronous_commit', 'off', true);
  update lane set answering = token, answering_until = clock_timestamp() + lease
  where channel_id = asked_channel and lane = asked_lane
    and (answering is null or answering_until < clock_timestamp());
  if not found then return null; end if;
  return lane_work(asked_channel, asked_lane, most);
end
$$;

-- As before, without waiting for the disk.
create or replace function let_go_of_lane(asked_channel text, asked_lane text, asked_role text, token text, asked_at timestamptz)
returns boolean
language plpgsql
as $$
declare
  held lane;
begin
  perform set_config('synchronous_commit', 'off', true);
  select * into held from lane where channel_id = asked_channel and lane = asked_lane for update;
  if not found then return true; end if;
  if asked_role = 'answering' then
    if held.answering is distinct from token then return true; end if;
    if exists (
      select from inbound_event
      where channel_id = asked_channel and lane = asked_lane and handled_at is null and failure is null
        and settled_at <= clock_timestamp()
    ) then
      return false;
    end if;
    update lane set answering = null, answering_until = null where channel_id = asked_channel and lane = asked_lane;
  else
    if held.sending is distinct from token then return true; end if;
    if coalesce((
      select next_attempt_at <= asked_at from outbound_part
      where channel_id = asked_channel and lane = asked_lane and status = 'waiting'
      order by number limit 1
    ), false) then
      return false;
    end if;
    update lane set sending = null, sending_until = null where channel_id = asked_channel and lane = asked_lane;
  end if;
  return true;
end
$$;

-- The oldest part that waits in a lane, due or not; null where none does.
create function next_part(asked_channel text, asked_lane text)
returns jsonb
language plpgsql
as $$
declare
  waiting jsonb;
begin
  select jsonb_build_object(
    'number', part.number::text, 'content', part.content, 'attempts', part.attempts, 'due_at', part.next_attempt_at,
    'since', part.created_at, 'author', part.author, 'draft', part.draft, 'message_id', part.message_id,
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

-- As before, and under which key each part is collected, or asked for. Who waits for one is told when the transaction is
-- committed.
drop function offer_parts(text, jsonb);
drop function queue_parts(text, text, text, text, text, text, jsonb, timestamptz);
create function queue_parts(
  asked_channel text,
  asked_workspace text,
  asked_lane text,
  asked_conversation text,
  asked_message text,
  asked_author text,
  -- Of each {"content", "status", "key", "draft"}.
  parts jsonb,
  asked_at timestamptz
)
returns void
language plpgsql
as $$
begin
  insert into outbound_part (channel_id, workspace_id, lane, conversation_id, message_id, part, author, content,
                             status, collect_key, draft, created_at, next_attempt_at)
  select asked_channel, asked_workspace, asked_lane, asked_conversation, asked_message, ordinality - 1, asked_author,
         told.part -> 'content', told.part ->> 'status', told.part ->> 'key',
         nullif(told.part -> 'draft', 'null'::jsonb), asked_at, asked_at
  from jsonb_array_elements(parts) with ordinality as told (part, ordinality)
  order by ordinality;
  perform pg_notify('collectable', asked_channel || ' ' || key) from (
    select distinct told.part ->> 'key' as key from jsonb_array_elements(parts) as told (part)
    where told.part ->> 'status' = 'collectable'
  ) as collectable;
end
$$;

-- As before.
create or replace function memory_span(asked_conversation text) returns integer[]
language plpgsql
as $$
begin
  return (
    select array[message_count, memory_from, summary_until] from conversation where id = asked_conversation
  );
end
$$;

-- Stores, with an answer, what is to be sent of it and that its events are dealt with. Takes the lane to send in it where
-- a token for that is given and nobody has it: {"sending", "next"} tells whether it did, and what is to be sent first.
-- Raises PY001 where another process has the lane, and PY002 where a person has the conversation.
drop function commit_channel_turn(text, text, text, text, text, text, jsonb, jsonb, bigint[], timestamptz, timestamptz);
create function commit_channel_turn(
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
begin
  update lane
  set conversation_id = asked_conversation, address = asked_address, reachable = true, draft = null,
      heard_at = greatest(heard_at, asked_heard),
      sending = case when sending_token is not null and (sending is null or sending_until < clock_timestamp())
                     then sending_token else sending end,
      sending_until = case when sending_token is not null and (sending is null or sending_until < clock_timestamp())
                           then clock_timestamp() + lease else sending_until end
  where channel_id = asked_channel and lane = asked_lane and answering = token
  returning sending into sender;
  if not found then raise exception 'the lane went to another process' using errcode = 'PY001'; end if;
  if exists (select from conversation where id = asked_conversation and status = 'claimed') then
    raise exception 'a person took the conversation over' using errcode = 'PY002';
  end if;
  perform queue_parts(asked_channel, asked_workspace, asked_lane, asked_conversation, asked_message, 'bot', parts,
                      asked_at);
  update inbound_event set handled_at = asked_at, native = 'null', answer_id = asked_message
  where channel_id = asked_channel and number = any(numbers);
  if sender is distinct from sending_token or sending_token is null then
    return jsonb_build_object('sending', false, 'next', null);
  end if;
  return jsonb_build_object('sending', true, 'next', next_part(asked_channel, asked_lane));
end
$$;

-- A part was sent, after so many tries. What comes next in its lane; null where nothing does: then the lane is let go of.
create function settle_sent_part(
  asked_channel text,
  asked_lane text,
  token text,
  asked_number bigint,
  tries integer,
  asked_platform_id text,
  asked_at timestamptz
)
returns jsonb
language plpgsql
as $$
declare
  following jsonb;
begin
  perform from lane where channel_id = asked_channel and lane = asked_lane for update;
  update outbound_part
  set status = 'sent', sent_at = asked_at, platform_message_id = asked_platform_id, attempts = tries, failure = null
  where number = asked_number and status = 'waiting';
  following := next_part(asked_channel, asked_lane);
  if following is null then
    update lane set sending = null, sending_until = null
    where channel_id = asked_channel and lane = asked_lane and sending = token;
  end if;
  return following;
end
$$;

-- Keeps the answer of a repeatable request with what it tells. Raises PY003 where the right to answer is gone.
create function complete_idempotent_request(
  asked_key text,
  asked_idempotency_key text,
  asked_claim text,
  asked_status integer,
  asked_body text
)
returns boolean
language plpgsql
as $$
begin
  update idempotent_request set status = asked_status, body = asked_body
  where key_id = asked_key and idempotency_key = asked_idempotency_key and claim = asked_claim and status is null;
  if not found then raise exception 'the right to answer was given up' using errcode = 'PY003'; end if;
  return true;
end
$$;
