alter table channel
  -- The channel whose app it shares: what it has not of its own is that one's, and what the platform tells comes there.
  add column parent_id text references channel (id) on delete cascade,
  -- Whose it is on the platform: a team, a guild, an app's customer.
  add column tenant text,
  add constraint channel_tenant_check check ((parent_id is null) = (tenant is null));
create unique index channel_tenant on channel (parent_id, tenant) where parent_id is not null;

-- By which a person lets the app of a channel into his team, for a workspace. Of its token only the hash is kept.
create table install_link (
  token_hash text primary key,
  channel_id text not null references channel (id) on delete cascade,
  workspace_id text not null references workspace (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
