-- Servers with agents who watch a workspace, and what a person chose for notifications and keys.
create table agent_listener (
  workspace_id text not null references workspace (id) on delete cascade,
  process_id text not null,
  until timestamptz not null,
  primary key (workspace_id, process_id)
) with (fillfactor = 50);

alter table person
  add column notifications jsonb not null default '{}',
  add column own_keys jsonb not null default '{}';
