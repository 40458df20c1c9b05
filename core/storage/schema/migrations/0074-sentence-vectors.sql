-- One row per chunk; an installed database has none until the worker has embedded its sentences. Their bytes are not
-- compressible and are read whole, so a row stays in the table up to the size of a page.
create table sentence_vector (
  chunk_id integer primary key references chunk (id) on delete cascade,
  scope_id integer not null,
  vectors bytea not null
) with (toast_tuple_target = 8160);
alter table sentence_vector alter column vectors set storage external;
