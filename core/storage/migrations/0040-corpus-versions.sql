-- Which state of its documents a workspace answers from: processes keep small ones in memory, and see by it that what
-- they keep still holds. Absent where nothing was ever indexed.
create table corpus (
  workspace_id text primary key references workspace (id) on delete cascade,
  version uuid not null
);
insert into corpus
select workspace_id, gen_random_uuid() from (select distinct workspace_id from document) known;

create function note_corpus() returns trigger language plpgsql as $$
begin
  insert into corpus values (new.workspace_id, gen_random_uuid())
  on conflict (workspace_id) do update set version = excluded.version;
  return null;
end
$$;
-- With the change it stands for or not at all, and last: who waits for it waits for a commit, and holds nobody else up.
create constraint trigger note_corpus after update on document
  deferrable initially deferred for each row
  when (
    (old.revision, old.scope_id, old.title, old.url) is distinct from (new.revision, new.scope_id, new.title, new.url)
  )
  execute function note_corpus();
