-- Files that agents attach to replies. The webhook event of a reply names them.
create table agent_file (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  conversation_id text not null references conversation (id) on delete cascade,
  -- Null until it is sent.
  message_id text references message (id) on delete cascade,
  -- Null if no person uploaded it, but the operator.
  person_id text references person (id) on delete set null,
  name text not null,
  content_type text not null,
  size integer not null,
  -- The secret in its link. Kept as it is, because messages and their parts contain the link.
  token text not null unique,
  created_at timestamptz not null
);
create index agent_file_workspace on agent_file (workspace_id);
create index agent_file_conversation on agent_file (conversation_id);
create index agent_file_message on agent_file (message_id) where message_id is not null;
create index agent_file_person on agent_file (person_id) where person_id is not null;
create index agent_file_unsent on agent_file (created_at) where message_id is null;

-- The bytes in parts, so that no single statement occupies the database for long.
create table agent_file_part (
  file_id text not null references agent_file (id) on delete cascade,
  part integer not null,
  bytes bytea not null,
  primary key (file_id, part)
);
-- Uncompressed: pictures and the like are compressed already.
alter table agent_file_part alter column bytes set storage external;
