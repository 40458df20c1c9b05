-- Accounts on platforms.

create table channel (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  -- The connector: 'slack', 'telegram', 'widget', …
  channel text not null,
  name text not null,
  -- JSON. Encrypted, not hashed: calling the platform needs the plain values.
  credentials_encrypted text not null,
  -- Generated here; the platform presents it with its webhook calls.
  secret_encrypted text not null,
  settings jsonb not null default '{}',
  -- The platform's own description of the account.
  profile jsonb not null default '{}',
  enabled boolean not null default true,
  status text not null default 'connecting' check (status in ('connecting', 'connected', 'error')),
  last_error text,
  -- The last sign of life of the platform, with or without events.
  heard_at timestamptz,
  -- The position at which a listener resumes, and the lease of the process that listens.
  cursor jsonb,
  listening text,
  listening_until timestamptz,
  created_at timestamptz not null,
  -- The channel whose app this one shares: it supplies missing credentials and receives the platform's events.
  parent_id text references channel (id) on delete cascade,
  -- The customer of the app on the platform: a team, a guild.
  tenant text,
  -- Counts changes of credentials and settings. Encrypting the same credentials again is no change.
  revision integer not null default 0,
  -- Of a widget only: names it in the integrator's page. A rotated token works until the time given.
  public_token text,
  previous_public_token text,
  previous_public_token_until timestamptz,
  -- Evidence that it works: the platform accepted the credentials (null again once it refuses them), a request came whose
  -- signature is wrong, the first message of a visitor came, the first answer was sent.
  verified_at timestamptz,
  refused_at timestamptz,
  first_message_at timestamptz,
  first_answer_at timestamptz,
  -- Ids of the owners whose channels may share the app of this one; '*' stands for every owner.
  shareable_with text[] not null default '{}',
  constraint channel_tenant_check check ((parent_id is null) = (tenant is null))
);
create index channel_workspace on channel (workspace_id, created_at desc, id desc);
create unique index channel_tenant on channel (parent_id, tenant) where parent_id is not null;
-- Finds a hosted page by the slug in its address.
create unique index channel_slug on channel ((settings ->> 'slug')) where settings ? 'slug';
create unique index channel_public_token on channel (public_token) where public_token is not null;
create unique index channel_previous_public_token on channel (previous_public_token)
  where previous_public_token is not null;
create index channel_previous_public_token_until on channel (previous_public_token_until)
  where previous_public_token_until is not null;

-- Values that a connector asked to remember.
create table channel_memory (
  channel_id text not null references channel (id) on delete cascade,
  key text not null,
  value jsonb not null,
  at timestamptz not null,
  primary key (channel_id, key)
);
create index channel_memory_at on channel_memory (at);

-- A link with which a person installs a channel's app in their team, for a workspace. Only the token's hash is stored.
create table install_link (
  token_hash text primary key,
  channel_id text not null references channel (id) on delete cascade,
  workspace_id text not null references workspace (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
