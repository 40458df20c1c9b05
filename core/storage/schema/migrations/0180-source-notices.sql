-- Items that somebody names as changed, and webhooks of tools that do.
alter table source
  add column hook_secret_encrypted text,
  add column hook_since timestamptz,
  add column hook_awaits_until timestamptz,
  add column hook_called_at timestamptz;

alter table source_run
  add column is_partial boolean not null default false,
  add column effect jsonb;

create table source_notice (
  source_id text not null references source (id) on delete cascade,
  key text not null,
  workspace_id text not null,
  is_deletion boolean not null,
  noticed_at timestamptz not null,
  run integer,
  read_at timestamptz,
  primary key (source_id, key)
);
create index source_notice_waiting on source_notice (source_id, noticed_at) where run is null;

create table source_hook_call (
  source_id text not null references source (id) on delete cascade,
  signature text not null,
  received_at timestamptz not null,
  primary key (source_id, signature)
);
create index source_hook_call_age on source_hook_call (received_at);

-- step: online
create unique index concurrently if not exists source_run_open_once on source_run (source_id, is_partial)
  where state in ('queued', 'running');
drop index concurrently if exists source_run_open;
