-- Words are indexed anew beside those that searches read, scope by scope. `index_version` was the version of all scopes: a
-- number, before version 2 with the name of a model.
alter table scope
  add column analyser integer not null default 0,
  add column words_side smallint not null default 1,
  add column rebuild text check (rebuild in ('waiting', 'building', 'cleaning')),
  add column rebuild_analyser integer,
  add column rebuild_position integer not null default 0,
  add column rebuild_chunks integer not null default 0,
  add column rebuild_terms bigint not null default 0;
update scope set analyser = 2 where exists (select from setting where name = 'index_version' and value = '2');
alter table term_count drop constraint term_count_scope_id_fkey;

-- step: online
create index concurrently if not exists chunk_scope on chunk (scope_id, id);
