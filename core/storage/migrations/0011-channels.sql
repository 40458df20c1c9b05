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
