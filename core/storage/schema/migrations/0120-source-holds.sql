-- Sources that are revalidated, and runs that are held until an owner decides.
alter table source
  add column lastmod_distrusted_at timestamptz,
  add column lastmod_sample text,
  add column held_run integer,
  add column held_at timestamptz,
  add column hold_told_at timestamptz,
  add column hold_mail_faults integer not null default 0;

alter table source_run
  add column is_full boolean not null default false,
  add column has_list boolean not null default false,
  add column verdict text,
  add column hold jsonb,
  add column hold_outcome text,
  drop constraint source_run_state_check,
  add constraint source_run_state_check
    check (state in ('queued', 'running', 'finished', 'failed', 'cancelled', 'held')) not valid,
  add constraint source_run_verdict_check check (verdict in ('plausible', 'held', 'accepted')) not valid,
  add constraint source_run_hold_outcome_check check (hold_outcome in ('applied', 'discarded', 'released')) not valid;

alter table source_item
  add column named_run integer,
  add column moved_to text,
  add column size integer,
  add column fingerprint text;

create table source_change (
  source_id text not null references source (id) on delete cascade,
  key text not null,
  workspace_id text not null,
  run integer not null,
  title text,
  url text,
  content_type text not null,
  file_name text,
  audience text[] not null,
  version text,
  validators jsonb,
  size_before integer,
  size integer not null,
  fingerprint text not null,
  takes_from text,
  primary key (source_id, key)
);

create table source_change_part (
  source_id text not null,
  key text not null,
  part integer not null,
  data text not null,
  primary key (source_id, key, part),
  foreign key (source_id, key) references source_change (source_id, key) on delete cascade
);

-- step: online
alter table source_run validate constraint source_run_state_check;
alter table source_run validate constraint source_run_verdict_check;
alter table source_run validate constraint source_run_hold_outcome_check;
create index concurrently if not exists source_item_trouble on source_item (source_id, state)
  where state in ('failed', 'gone');
create index concurrently if not exists source_item_moved on source_item (source_id, moved_to) where moved_to is not null;
create index concurrently if not exists source_hold_untold on source (held_at)
  where held_run is not null and hold_told_at is null;
