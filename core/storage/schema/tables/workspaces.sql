-- Workspaces, their owners, keys and skills.

create extension if not exists vector;

-- Facts about the whole installation, shared by all processes.
create table setting (
  name text primary key,
  value text not null
);

-- The account that owns workspaces; quotas are counted for it.
create table owner (
  id text primary key,
  created_at timestamptz not null
);

create table workspace (
  id text primary key,
  owner_id text not null references owner (id),
  name text not null,
  plan text not null check (plan in ('free', 'starter', 'growth', 'business', 'enterprise')),
  settings jsonb not null default '{}',
  -- Encrypted, not hashed: checking a visitor's HMAC needs the plain secret.
  identity_secret_encrypted text not null,
  -- Names the workspace's first widget in the integrator's page.
  public_token text not null unique,
  created_at timestamptz not null,
  -- Set at once on deletion; maintenance removes the rows later.
  deleted_at timestamptz,
  -- Whether enabled HTTP skills exist, kept by the trigger note_own_skills: answering skips the lookup otherwise.
  own_skills boolean not null default false,
  -- A rotated secret works beside its successor until the time given. Only one predecessor is kept.
  previous_identity_secret_encrypted text,
  previous_identity_secret_until timestamptz,
  previous_public_token text,
  previous_public_token_until timestamptz,
  -- The correction of probabilities in use: {"slope", "offset", "judged", "since"}.
  correction jsonb,
  -- Set for a hidden workspace, which holds the staged documents of a change set or the conversations of test keys: no
  -- search, list or count of the other one finds them.
  staging_for text references workspace (id)
);
create index workspace_owner on workspace (owner_id);
create index workspace_staging on workspace (staging_for) where staging_for is not null;
create unique index workspace_previous_public_token on workspace (previous_public_token)
  where previous_public_token is not null;
create index workspace_previous_public_token_until on workspace (previous_public_token_until)
  where previous_public_token_until is not null;
create index workspace_previous_identity_secret on workspace (previous_identity_secret_until)
  where previous_identity_secret_until is not null;

-- The weekly fit of a correction to answers that people judged.
create table correction_offer (
  workspace_id text primary key references workspace (id) on delete cascade,
  -- When the next fit is due.
  due_at timestamptz not null,
  -- What is offered to the owner, as `Refit` in core/answering/refit/fit-correction.ts. Null: nothing.
  refit jsonb,
  offered_at timestamptz,
  -- Whether a correction was ever in use. Then the probability of an answer before it stands in its decision.
  was_used boolean not null default false
);

create table api_key (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  name text not null,
  -- SHA-256 of the key, lower-case hexadecimal; the key itself is never stored.
  key_hash text not null unique,
  -- The last four characters, so that a person can tell two keys apart.
  key_ending text not null,
  rate_limit_minute integer not null,
  rate_limit_day integer not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  -- The value before the last rotation, which works until the time given.
  previous_key_hash text,
  previous_key_until timestamptz,
  -- Written at most once a minute.
  last_used_at timestamptz,
  -- The name of the person who made it, or `operator`.
  created_by text not null default 'operator',
  -- What the key may do, as `keyScopes` in core/workspaces/key-scopes.ts lists it.
  scopes text[] not null default '{query,conversations:read,conversations:write}',
  -- Which workspaces it reaches: its own, or all of its owner.
  workspaces text not null default 'owner' check (workspaces in ('own', 'owner')),
  -- The networks in CIDR notation that it may be used from. Empty: all.
  allowed_networks text[] not null default '{}',
  -- What a test key asks is kept in a hidden workspace and counts nowhere.
  mode text not null default 'live' check (mode in ('live', 'test')),
  -- When an operation that needs the scope was last called, by scope. Written with `last_used_at`.
  scopes_used jsonb not null default '{}'
);
create index api_key_workspace on api_key (workspace_id, id);
create unique index api_key_previous_key on api_key (previous_key_hash) where previous_key_hash is not null;
create index api_key_previous_key_until on api_key (previous_key_until) where previous_key_until is not null;

-- A skill that calls a server of the workspace's owner.
create table http_skill (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  name text not null,
  description text not null,
  -- json, not jsonb: models read the arguments in the order in which they were written.
  parameters json not null,
  url text not null,
  -- Encrypted, not hashed: signing needs the plain secret.
  secret_encrypted text not null,
  timeout_ms integer not null,
  runs_for text not null check (runs_for in ('everyone', 'verified')),
  enabled boolean not null,
  created_at timestamptz not null,
  previous_secret_encrypted text,
  previous_secret_until timestamptz,
  -- How it was before a deletion that can be taken back until then.
  undo jsonb,
  restorable_until timestamptz,
  unique (workspace_id, name)
);
create index http_skill_latest on http_skill (workspace_id, created_at desc, id desc);
create index http_skill_restorable on http_skill (restorable_until) where restorable_until is not null;
create index http_skill_previous_secret on http_skill (previous_secret_until) where previous_secret_until is not null;

-- A text that agents insert into replies by its name.
create table snippet (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  name text not null,
  text text not null,
  tags text[] not null default '{}',
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Besides the tags: {"status", "assignee", "priority"}.
  actions jsonb not null default '{}',
  -- How it was before a deletion that can be taken back until then.
  undo jsonb,
  restorable_until timestamptz
);
create index snippet_restorable on snippet (restorable_until) where restorable_until is not null;
create unique index snippet_name on snippet (workspace_id, lower(name));
create index snippet_latest on snippet (workspace_id, created_at desc, id desc);
