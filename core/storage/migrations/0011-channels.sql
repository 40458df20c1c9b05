create table channel (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  channel text not null,
  name text not null,
  -- JSON; needed in clear to call the platform, so it is encrypted.
  credentials_encrypted text not null,
  -- Made by us: what the platform shows with its calls.
  secret_encrypted text not null,
  settings jsonb not null default '{}',
  -- What the platform says of the account.
  profile jsonb not null default '{}',
  enabled boolean not null default true,
  status text not null default 'connecting' check (status in ('connecting', 'connected', 'error')),
  last_error text,
  -- When the platform was last heard of, events or not.
  heard_at timestamptz,
  -- Where a listener goes on, who listens, and until when nobody else does.
  cursor jsonb,
  listening text,
  listening_until timestamptz,
  created_at timestamptz not null
);
create index channel_workspace on channel (workspace_id, created_at desc, id desc);

-- A conversation on a platform, and which of ours goes on there.
create table lane (
  channel_id text not null references channel (id) on delete cascade,
  lane text not null,
  workspace_id text not null,
  -- How to send there; null until its first event was read.
  address jsonb,
  conversation_id text references conversation (id) on delete set null,
  -- False: the platform takes nothing for it any more.
  reachable boolean not null default true,
  -- Who answers in it, and who sends to it, and until when nobody else does.
  answering text,
  answering_until timestamptz,
  sending text,
  sending_until timestamptz,
  primary key (channel_id, lane)
);
create index lane_conversation on lane (conversation_id) where conversation_id is not null;

-- What platforms told us, as it came.
create table inbound_event (
  number bigint generated always as identity primary key,
  channel_id text not null references channel (id) on delete cascade,
  workspace_id text not null,
  -- The platform's: the same when it is sent again.
  event_id text not null,
  lane text not null,
  native jsonb not null,
  received_at timestamptz not null,
  -- It waits so long for others that belong to it.
  settled_at timestamptz not null,
  handled_at timestamptz,
  attempts integer not null default 0,
  -- Why it was given up.
  failure text,
  unique (channel_id, event_id)
);
create index inbound_event_waiting on inbound_event (channel_id, lane, number)
  where handled_at is null and failure is null;
create index inbound_event_failed on inbound_event (channel_id, number) where failure is not null;
create index inbound_event_handled on inbound_event (handled_at) where handled_at is not null;

-- What is to be sent, a row a part, written in the transaction of the message that it is of.
create table outbound_part (
  number bigint generated always as identity primary key,
  channel_id text not null references channel (id) on delete cascade,
  workspace_id text not null,
  lane text not null,
  conversation_id text not null references conversation (id) on delete cascade,
  message_id text not null references message (id) on delete cascade,
  part integer not null,
  -- Ours are withheld when a person takes over before they are sent.
  author text not null check (author in ('bot', 'agent')),
  content jsonb not null,
  status text not null default 'waiting'
    check (status in ('waiting', 'sent', 'delivered', 'read', 'failed', 'dead', 'withheld')),
  attempts integer not null default 0,
  created_at timestamptz not null,
  next_attempt_at timestamptz not null,
  sent_at timestamptz,
  platform_message_id text,
  failure text,
  unique (message_id, part)
);
create index outbound_part_waiting on outbound_part (channel_id, lane, number) where status = 'waiting';
create index outbound_part_due on outbound_part (next_attempt_at) where status = 'waiting';
create index outbound_part_dead on outbound_part (channel_id, number) where status = 'dead';
create index outbound_part_platform on outbound_part (channel_id, platform_message_id)
  where platform_message_id is not null;

-- Until when everything that may be sent under a key is spoken for.
create table send_budget (
  channel_id text not null references channel (id) on delete cascade,
  key text not null,
  spoken_until timestamptz not null,
  primary key (channel_id, key)
);

-- What follows is done for every message: each is one round trip. Their statements see what was committed before each
-- of them, so that who lets go of a lane sees what came before somebody else was turned away from it.

-- Lets go of a lane unless there is something to do in it now: false then. True also where it is not held any more.
create function let_go_of_lane(asked_channel text, asked_lane text, asked_role text, token text, asked_at timestamptz)
returns boolean
language plpgsql
as $$
declare
  held lane;
begin
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

-- Writes down what is to be sent of a message, in its transaction.
create function queue_parts(
  asked_channel text,
  asked_workspace text,
  asked_lane text,
  asked_conversation text,
  asked_message text,
  asked_author text,
  parts jsonb,
  asked_at timestamptz
)
returns void
language sql
as $$
  insert into outbound_part (channel_id, workspace_id, lane, conversation_id, message_id, part, author, content,
                             created_at, next_attempt_at)
  select asked_channel, asked_workspace, asked_lane, asked_conversation, asked_message, ordinality - 1, asked_author,
         content, asked_at, asked_at
  from jsonb_array_elements(parts) with ordinality as told (content, ordinality)
  order by ordinality
$$;

-- Stores, in the transaction of an answer, what is to be sent of it and that its events are dealt with. `lost`: another
-- process has the lane. `taken_over`: a person has the conversation.
create function commit_channel_turn(
  asked_channel text,
  asked_lane text,
  token text,
  asked_workspace text,
  asked_conversation text,
  asked_message text,
  asked_address jsonb,
  parts jsonb,
  numbers bigint[],
  asked_at timestamptz
)
returns text
language plpgsql
as $$
begin
  update lane set conversation_id = asked_conversation, address = asked_address, reachable = true
  where channel_id = asked_channel and lane = asked_lane and answering = token;
  if not found then return 'lost'; end if;
  if exists (select from conversation where id = asked_conversation and status = 'claimed') then
    return 'taken_over';
  end if;
  perform queue_parts(asked_channel, asked_workspace, asked_lane, asked_conversation, asked_message, 'bot', parts,
                      asked_at);
  update inbound_event set handled_at = asked_at, native = 'null'
  where channel_id = asked_channel and number = any(numbers);
  return 'done';
end
$$;

-- Speaks for one message under each of the keys: 0 where it may go at once. Else the milliseconds until then, and
-- nothing is spoken for.
create function reserve_send_budget(asked_channel text, asked jsonb)
returns float8
language plpgsql
as $$
declare
  longest float8;
begin
  insert into send_budget (channel_id, key, spoken_until)
  select asked_channel, wanted.key, clock_timestamp() from jsonb_to_recordset(asked) as wanted (key text)
  order by wanted.key
  on conflict do nothing;
  perform from send_budget
  where channel_id = asked_channel and key in (select wanted.key from jsonb_to_recordset(asked) as wanted (key text))
  order by key for update;
  select max(extract(epoch from send_budget.spoken_until - clock_timestamp()) * 1000 - wanted.every * (wanted.burst - 1))
  into longest
  from jsonb_to_recordset(asked) as wanted (key text, every float8, burst float8)
  join send_budget on send_budget.channel_id = asked_channel and send_budget.key = wanted.key;
  if longest > 0 then return longest; end if;
  update send_budget
  set spoken_until = greatest(spoken_until, clock_timestamp()) + wanted.every * interval '1 millisecond'
  from jsonb_to_recordset(asked) as wanted (key text, every float8)
  where send_budget.channel_id = asked_channel and send_budget.key = wanted.key;
  return 0;
end
$$;
