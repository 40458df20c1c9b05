-- Vectors of providers' embedding models stand beside those of the built-in one, with any number of dimensions.

create table embedding_model (
  id integer generated always as identity primary key,
  name text not null unique,
  dimensions integer not null,
  unrelated_cosine double precision,
  related_cosine double precision
);

create table model_vector (
  chunk_id integer not null references chunk (id) on delete cascade,
  model_id integer not null references embedding_model (id),
  scope_id integer not null,
  in_graph boolean not null,
  embedding vector not null,
  primary key (chunk_id, model_id)
);
alter table model_vector alter column embedding set storage main;
create index model_vector_scope on model_vector (model_id, scope_id, in_graph);

alter table corpus add column model_id integer not null default 0;
alter table corpus add column next_model_id integer;
alter table corpus add column reserved_until timestamptz;
