-- What a process tells the others about itself: version, host, clock, disk, and when it last did its duties.
alter table process add column facts jsonb not null default '{}';

-- Grows with each look at the database: a full disk refuses new pages, and still takes updates in place. Unlogged: its rows
-- mean nothing.
create unlogged table storage_probe (
  payload text not null
);
alter table storage_probe alter column payload set storage plain;

-- A retry or removal of failed messages and parts, as a person started it.
create table failure_action (
  id text primary key,
  kind text not null check (kind in ('retry', 'drop')),
  queue text not null check (queue in ('answer', 'deliver')),
  -- What the person saw: {"channel_id", "reason", "from", "until"}. It covers numbers up to `last_number` only.
  filter jsonb not null,
  last_number bigint not null,
  -- Where it goes on: numbers up to this one are done.
  position bigint not null default 0,
  total integer not null,
  done integer not null default 0,
  state text not null default 'running' check (state in ('running', 'finished', 'stopped')),
  started_by text not null,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index failure_action_latest on failure_action (created_at desc, id desc);
create index failure_action_running on failure_action (created_at) where state = 'running';
