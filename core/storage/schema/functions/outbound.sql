-- The outbox: queue the parts of a message, hand out the next one, record what became of it; send budgets.

-- Returns the oldest waiting part of a lane, due or not; null if no part waits.
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
    'in_doubt', part.in_doubt, 'event', part.event_id,
    'address', lane.address, 'heard_at', lane.heard_at, 'opted_out', lane.opted_out, 'status', conversation.status,
    'purpose', (select message.purpose from message where message.id = part.message_id)
  )
  into waiting from outbound_part as part
  join lane on lane.channel_id = part.channel_id and lane.lane = part.lane
  join conversation on conversation.id = part.conversation_id
  where part.channel_id = asked_channel and part.lane = asked_lane and part.status = 'waiting'
  order by part.number limit 1;
  return waiting;
end
$$;

-- Stores the parts of a message in the outbox, in the message's transaction. Notifies the requests that wait for
-- collectable parts, on commit.
create or replace function queue_parts(
  asked_channel text,
  asked_workspace text,
  asked_lane text,
  asked_conversation text,
  asked_message text,
  asked_author text,
  -- An array of {"content", "status", "key", "draft", "event"}.
  parts jsonb,
  asked_at timestamptz
)
returns void
language plpgsql
as $$
begin
  insert into outbound_part (channel_id, workspace_id, lane, conversation_id, message_id, part, author, content,
                             status, collect_key, draft, event_id, created_at, next_attempt_at)
  select asked_channel, asked_workspace, asked_lane, asked_conversation, asked_message, ordinality - 1, asked_author,
         told.part -> 'content', told.part ->> 'status', told.part ->> 'key',
         nullif(told.part -> 'draft', 'null'::jsonb), told.part ->> 'event', asked_at, asked_at
  from jsonb_array_elements(parts) with ordinality as told (part, ordinality)
  order by ordinality;
  perform pg_notify('collectable', asked_channel || ' ' || key) from (
    select distinct told.part ->> 'key' as key from jsonb_array_elements(parts) as told (part)
    where told.part ->> 'status' = 'collectable'
  ) as collectable;
end
$$;

-- Stores the outbound parts of an answer and marks its events as handled, in the answer's transaction. Returns the first
-- part to send; null if none waits. Raises PY001 if another process holds the lane, and PY002 if an agent has claimed the
-- conversation.
--
-- Rows are found by their key alone: `|| ''` keeps the planner from using another index. A session plans once, often
-- while tables are empty, when an index of everything that waits looks just as good; with 10,000 waiting rows it reads
-- them all.
create or replace function commit_channel_turn(
  asked_channel text,
  asked_lane text,
  token text,
  asked_workspace text,
  asked_conversation text,
  asked_message text,
  asked_address jsonb,
  parts jsonb,
  numbers bigint[],
  asked_at timestamptz,
  asked_heard timestamptz,
  -- Whether the answer says that a machine answers. With a default for processes before migration 0112.
  discloses boolean default false
)
returns jsonb
language plpgsql
as $$
declare
  handled bigint;
begin
  update lane
  set conversation_id = asked_conversation, address = asked_address, reachable = true, draft = null,
      heard_at = greatest(heard_at, asked_heard)
  where channel_id = asked_channel and lane = asked_lane and holder = token;
  if not found then raise exception 'the lane went to another process' using errcode = 'PY001'; end if;
  if exists (select from conversation where id = asked_conversation and status || '' = 'claimed') then
    raise exception 'a person took the conversation over' using errcode = 'PY002';
  end if;
  perform queue_parts(asked_channel, asked_workspace, asked_lane, asked_conversation, asked_message, 'bot', parts,
                      asked_at);
  if discloses then update conversation set disclosed_at = asked_at where id = asked_conversation; end if;
  -- One statement for each number: an array is planned anew each time, or once while the table is empty.
  foreach handled in array numbers loop
    update inbound_event set handled_at = asked_at, native = 'null', media_readings = null, answer_id = asked_message
    where channel_id || '' = asked_channel and number = handled;
  end loop;
  return next_part(asked_channel, asked_lane);
end
$$;

-- Records that a part was sent, after `tries` attempts. Returns {"next", "released"}: the next part of the lane, if `token`
-- still holds it, and whether it does not any more. Releases the lane if no part waits and no turn is due.
create or replace function settle_part(
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
  released boolean;
begin
  perform from lane where channel_id = asked_channel and lane = asked_lane and holder = token for update;
  released := not found;
  update outbound_part
  set status = 'sent', sent_at = asked_at, platform_message_id = asked_platform_id, attempts = tries, failure = null
  where number = asked_number and status || '' = 'waiting';
  if not released then
    following := next_part(asked_channel, asked_lane);
    released := following is null and not is_turn_due(asked_channel, asked_lane);
    if released then
      update lane set holder = null, held_until = null where channel_id = asked_channel and lane = asked_lane;
    end if;
  end if;
  return jsonb_build_object('next', following, 'released', released);
end
$$;

-- For processes before migration 0073: records the part that they were sending during the upgrade, and ends their work
-- in the lane. To be dropped by the next version.
create or replace function settle_sent_part(
  asked_channel text,
  asked_lane text,
  token text,
  answering_token text,
  asked_number bigint,
  tries integer,
  asked_platform_id text,
  asked_at timestamptz
)
returns jsonb
language plpgsql
as $$
begin
  perform settle_part(asked_channel, asked_lane, token, asked_number, tries, asked_platform_id, asked_at);
  update lane set holder = null, held_until = null
  where channel_id = asked_channel and lane = asked_lane and holder = token;
  return jsonb_build_object('next', null, 'let_go', true);
end
$$;

-- Marks the first waiting part of a lane as possibly sent already: the previous holder of the lease may have died
-- between the platform's acceptance and the record of it.
create or replace function doubt_first_part(asked_channel text, asked_lane text)
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

-- A worker that finishes releases its lease. A lease that passes from one token to another was taken from a dead
-- worker.
create or replace function tell_of_abandoned_lane() returns trigger
language plpgsql
as $$
begin
  perform doubt_first_part(new.channel_id, new.lane);
  return null;
end
$$;

-- Records when a part reached a status that only a platform's report or a retry changes again.
create or replace function date_part_status() returns trigger
language plpgsql
as $$
begin
  new.status_at := now();
  return new;
end
$$;

-- Hands over the parts that wait under a collect key, each part once, oldest first, and reports the state of the lane:
-- {"parts": [{"content", "since"}], "answering", "withPerson"}. One statement returns the parts and `answering`, so
-- that both are of the same moment: a request that receives the whole answer is not told to wait for more.
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

-- Reserves one message under each of the given budgets. No row if the message may be sent now. Otherwise returns the
-- budget with the longest wait, in milliseconds, and reserves nothing. A budget belongs to the channel that it names,
-- since channels under one app share budgets.
--
-- Each budget is looked up by its key: a join may read all budgets of a channel, one for each of its chats. Locks in
-- the order of (channel, key), so that concurrent reservations do not deadlock.
create or replace function reserve_send_budget(asked jsonb)
returns table (key text, wait_ms float8)
language plpgsql
as $$
#variable_conflict use_column
declare
  wanted record;
  spoken timestamptz;
  waits float8;
begin
  wait_ms := 0;
  for wanted in
    select told.channel_id, told.key, told.every, told.burst
    from jsonb_to_recordset(asked) as told (channel_id text, key text, every float8, burst float8)
    order by told.channel_id, told.key
  loop
    loop
      select spoken_until into spoken from send_budget
      where channel_id = wanted.channel_id and key = wanted.key for update;
      exit when found;
      insert into send_budget (channel_id, key, spoken_until)
      values (wanted.channel_id, wanted.key, clock_timestamp())
      on conflict do nothing;
    end loop;
    waits := extract(epoch from spoken - clock_timestamp()) * 1000 - wanted.every * (wanted.burst - 1);
    if waits > wait_ms then
      key := wanted.key;
      wait_ms := waits;
    end if;
  end loop;
  if wait_ms > 0 then
    return next;
    return;
  end if;
  for wanted in
    select told.channel_id, told.key, told.every
    from jsonb_to_recordset(asked) as told (channel_id text, key text, every float8)
  loop
    update send_budget
    set spoken_until = greatest(spoken_until, clock_timestamp()) + wanted.every * interval '1 millisecond'
    where channel_id = wanted.channel_id and key = wanted.key;
  end loop;
end
$$;
