-- Notes tell the people whom they name.
create table mention (
  note_id text not null references note (id) on delete cascade,
  person_id text not null references person (id) on delete cascade,
  workspace_id text not null references workspace (id) on delete cascade,
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (note_id, person_id)
);
create index mention_person on mention (person_id, workspace_id, created_at desc, note_id desc);
create index mention_workspace on mention (workspace_id);
