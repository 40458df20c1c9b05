-- From a platform's delivery to the answer on the platform: lanes, inbound events, outbound parts, send budgets.

-- A conversation on a platform, and the conversation here that continues it.
create table lane (
  channel_id text not null references channel (id) on delete cascade,
  lane text not null,
  workspace_id text not null,
  -- Where to send; null until the first event is parsed.
  address jsonb,
  conversation_id text references conversation (id) on delete set null,
  -- False once the platform accepts nothing more for it.
  reachable boolean not null default true,
  -- The visitor's last message: some platforms close a reply window after it.
  heard_at timestamptz,
  -- The part of an unfinished answer that the platform already shows: {"state", "numbers"}.
  draft jsonb,
  -- The visitor asked for no more messages, until they say otherwise.
  opted_out boolean not null default false,
  -- The last sender: some channels limit the replies to one sender.
  sender text,
  -- Continues a conversation of another channel, for a visitor who has left that channel.
  continues boolean not null default false,
  -- The lease: the holder's token and its expiry. Only the holder answers and sends.
  holder text,
  held_until timestamptz,
  primary key (channel_id, lane)
);
create index lane_conversation on lane (conversation_id) where conversation_id is not null;
create index lane_sender on lane (channel_id, sender) where sender is not null;

-- A platform's event, unparsed.
create table inbound_event (
  number bigint generated always as identity primary key,
  channel_id text not null references channel (id) on delete cascade,
  workspace_id text not null,
  -- The platform's id, which stays the same when it repeats a delivery.
  event_id text not null,
  lane text not null,
  native jsonb not null,
  received_at timestamptz not null,
  -- Until then it waits for other events of the same turn.
  settled_at timestamptz not null,
  handled_at timestamptz,
  attempts integer not null default 0,
  -- Why it was given up.
  failure text,
  -- The message that answers it.
  answer_id text,
  unique (channel_id, event_id),
  -- The words and descriptions of its files, until it is handled, so that another attempt does not ask them again.
  media_readings jsonb
);
create index inbound_event_waiting on inbound_event (channel_id, lane, number)
  where handled_at is null and failure is null;
create index inbound_event_failed on inbound_event (channel_id, number) where failure is not null;
create index inbound_event_handled on inbound_event (handled_at) where handled_at is not null;

-- The outbox: one row for each part of a message, written in the message's transaction.
create table outbound_part (
  number bigint generated always as identity primary key,
  channel_id text not null references channel (id) on delete cascade,
  workspace_id text not null,
  lane text not null,
  -- No foreign key: a part is deleted with its message, and its message with the conversation. One here would make each
  -- deletion of a conversation scan all parts.
  conversation_id text not null,
  message_id text not null references message (id) on delete cascade,
  part integer not null,
  -- An agent who takes over withholds the unsent parts of the bot.
  author text not null check (author in ('bot', 'agent')),
  content jsonb not null,
  -- held: until the visitor asks for more. collectable: until the platform requests it.
  status text not null default 'waiting' check (
    status in ('waiting', 'held', 'collectable', 'sent', 'delivered', 'read', 'failed', 'dead', 'withheld')
  ),
  attempts integer not null default 0,
  created_at timestamptz not null,
  next_attempt_at timestamptz not null,
  sent_at timestamptz,
  platform_message_id text,
  failure text,
  -- A draft on the platform that this part replaces.
  draft jsonb,
  -- The key under which the platform collects the part, or under which the visitor asks for it.
  collect_key text,
  -- When to ask the platform for the outcome if it has not reported one; null if it is not asked.
  ask_at timestamptz,
  -- The platform may have accepted it already: it did not answer, or the worker died before recording the answer.
  in_doubt boolean not null default false,
  -- When the status became one that only a platform's report or a retry changes again; set by the trigger
  -- date_part_status.
  status_at timestamptz,
  -- The platform's id of the first event that the part's message answers; null if it answers none.
  event_id text,
  unique (message_id, part)
);
create index outbound_part_waiting on outbound_part (channel_id, lane, number) where status = 'waiting';
-- Parts that were refused for good or given up, for the operator's lists.
create index outbound_part_given_up on outbound_part (channel_id, number) where status in ('dead', 'failed');
create index outbound_part_platform on outbound_part (channel_id, platform_message_id)
  where platform_message_id is not null;
create index outbound_part_held on outbound_part (channel_id, lane, number) where status = 'held';
create index outbound_part_key on outbound_part (channel_id, lane, collect_key, number)
  where status in ('collectable', 'held') and collect_key is not null;
create index outbound_part_collectable on outbound_part (created_at) where status = 'collectable';
-- Begins with the channel, so that deleting a channel finds its parts by an index.
create index outbound_part_answers on outbound_part (channel_id, lane, created_at);
create index outbound_part_to_ask on outbound_part (ask_at) where ask_at is not null and status = 'sent';

-- The time up to which all messages that may be sent under a key are reserved.
create table send_budget (
  channel_id text not null references channel (id) on delete cascade,
  key text not null,
  spoken_until timestamptz not null,
  -- The platform accepts nothing more of the account until then.
  held_until timestamptz,
  -- Shared by the channels under one app, and stored with the channel that owns the app.
  of_app boolean not null default false,
  primary key (channel_id, key)
);
create index send_budget_held on send_budget (channel_id) where held_until is not null;

-- A retry or removal of failed messages and parts, as a person started it.
create table failure_action (
  id text primary key,
  kind text not null check (kind in ('retry', 'drop')),
  queue text not null check (queue in ('answer', 'deliver')),
  -- What the person saw: {"channel_id", "reason", "from", "until"}. It covers numbers up to `last_number` only.
  filter jsonb not null,
  last_number bigint not null,
  -- Where it goes on: numbers up to this one are done.
  position bigint not null default 0,
  total integer not null,
  done integer not null default 0,
  state text not null default 'running' check (state in ('running', 'finished', 'stopped')),
  started_by text not null,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index failure_action_latest on failure_action (created_at desc, id desc);
create index failure_action_running on failure_action (created_at) where state = 'running';
