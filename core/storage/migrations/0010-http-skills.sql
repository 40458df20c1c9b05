-- What a workspace can do for its visitors by calling a server of its owner.
create table http_skill (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  name text not null,
  description text not null,
  -- Not jsonb: models read the arguments in the order in which they were written.
  parameters json not null,
  url text not null,
  -- Needed in clear to sign, so it is encrypted, not hashed.
  secret_encrypted text not null,
  timeout_ms integer not null,
  runs_for text not null check (runs_for in ('everyone', 'verified')),
  enabled boolean not null,
  created_at timestamptz not null,
  unique (workspace_id, name)
);
create index http_skill_latest on http_skill (workspace_id, created_at desc, id desc);
