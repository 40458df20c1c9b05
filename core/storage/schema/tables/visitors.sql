-- Visitors of widgets and hosted pages.

-- A visitor's id is the `session_id` of their conversations.
create table visitor (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  channel_id text not null references channel (id) on delete cascade,
  -- The integrator's id, once verified: the same visitor on all devices.
  user_id text,
  name text,
  email text,
  audience text[] not null default '{}',
  -- Agents' replies up to this time are read.
  read_at timestamptz not null,
  -- One question at a time: the lease of the current one.
  asking text,
  asking_until timestamptz,
  created_at timestamptz not null,
  -- Whether the integrator signed for the address.
  email_verified boolean not null default false,
  unique (channel_id, user_id)
);
create index visitor_workspace on visitor (workspace_id);

create table visitor_session (
  -- Hash of the token that the browser holds: reading this table does not let anybody speak for a visitor.
  token_hash text primary key,
  visitor_id text not null references visitor (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index visitor_session_visitor on visitor_session (visitor_id);
create index visitor_session_expires on visitor_session (expires_at);

-- Files that visitors attach: no platform stores them for us.
create table visitor_file (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  visitor_id text not null references visitor (id) on delete cascade,
  -- Null until the file is sent.
  conversation_id text references conversation (id) on delete cascade,
  name text not null,
  content_type text not null,
  size integer not null,
  bytes bytea not null,
  created_at timestamptz not null
);
-- Uncompressed: pictures and the like are compressed already.
alter table visitor_file alter column bytes set storage external;
create index visitor_file_workspace on visitor_file (workspace_id) include (size);
create index visitor_file_visitor on visitor_file (visitor_id, created_at);
create index visitor_file_conversation on visitor_file (conversation_id) where conversation_id is not null;
create index visitor_file_unsent on visitor_file (created_at) where conversation_id is null;
