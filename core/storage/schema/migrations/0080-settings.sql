-- Keys know who made them and when they were used, with their outcomes by day. Agents have snippets.
alter table api_key
  add column last_used_at timestamptz,
  add column created_by text not null default 'operator';

create table key_day (
  key_id text not null references api_key (id) on delete cascade,
  day date not null,
  answered integer not null,
  low integer not null,
  errors integer not null,
  limited integer not null,
  primary key (key_id, day)
) with (fillfactor = 50);

create table snippet (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  name text not null,
  text text not null,
  tags text[] not null default '{}',
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index snippet_name on snippet (workspace_id, lower(name));
create index snippet_latest on snippet (workspace_id, created_at desc, id desc);
