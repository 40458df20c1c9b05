-- Facts about a workspace that triggers keep up to date.

-- Keeps `workspace.own_skills`. Locks the workspace before counting: of two concurrent changes, the second sees the
-- first.
create or replace function note_own_skills() returns trigger language plpgsql as $$
declare
  changed text := case when tg_op = 'DELETE' then old.workspace_id else new.workspace_id end;
begin
  perform from workspace where id = changed for no key update;
  update workspace set own_skills = not own_skills
  where id = changed
    and own_skills is distinct from exists (select from http_skill where workspace_id = changed and enabled);
  return null;
end
$$;

-- Gives a workspace's documents a new version when an answer could change.
create or replace function note_corpus() returns trigger language plpgsql as $$
begin
  insert into corpus values (new.workspace_id, gen_random_uuid())
  on conflict (workspace_id) do update set version = excluded.version;
  return null;
end
$$;
