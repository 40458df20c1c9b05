-- Indexing: which document is next, and which worker has it.

-- Leases the next document for one slice of work, or the one that is asked for, and returns its lease. No row if there is
-- nothing to do, or another worker has it. A lease ends after `lease_seconds` unless it is renewed: a worker that died
-- loses its document to another one.
--
-- The order: of the workspaces that have fewer than `most_of_workspace` leases in the asking process, the one with the
-- fewest, and of those the one whose last turn is longest ago. Within it documents in order of arrival; a large one that
-- has no passages in the index comes after the others, or when it has waited for two minutes.
create or replace function lease_document(
  asked_document text,
  asked_process text,
  asked_holder text,
  asked_at timestamptz,
  lease_seconds double precision,
  most_of_workspace integer
) returns setof indexing_lease
language plpgsql
as $$
declare
  chosen document%rowtype;
  lease indexing_lease%rowtype;
begin
  -- One choice at a time, so that each sees the leases of the others.
  perform pg_advisory_xact_lock(7273952);
  if asked_document is null then
    select * into chosen from document
    where number = next_document(asked_process, asked_at, most_of_workspace)
    for no key update skip locked;
  else
    select * into chosen from document where id = asked_document for no key update;
  end if;
  if chosen.number is null
     or (chosen.status = 'deleted' and chosen.undo is not null and chosen.restorable_until > asked_at) then
    return;
  end if;
  select * into lease from indexing_lease where document_number = chosen.number;
  if lease.document_number is null and chosen.status in ('indexed', 'failed')
     or lease.holder is not null and lease.held_until > clock_timestamp() then
    return;
  end if;
  if lease.revision is distinct from chosen.wanted_revision then
    -- A newer revision: what was read of an earlier one is of no use.
    delete from indexing_passage where document_number = chosen.number;
    delete from indexing_lease where document_number = chosen.number;
  end if;
  if chosen.status = 'queued' then
    update document set status = 'indexing', progress = 0 where number = chosen.number;
  elsif chosen.status = 'deleted' and chosen.undo is not null then
    -- From here on the document cannot be restored.
    update document set undo = null, restorable_until = null where number = chosen.number;
  end if;
  insert into indexing_turn (workspace_id, at) values (chosen.workspace_id, clock_timestamp())
  on conflict (workspace_id) do update set at = excluded.at;
  return query
    insert into indexing_lease as held (
      document_number, workspace_id, revision, holder, process_id, held_until, attempts
    ) values (
      chosen.number, chosen.workspace_id, chosen.wanted_revision, asked_holder, asked_process,
      clock_timestamp() + make_interval(secs => lease_seconds), 1
    )
    on conflict (document_number) do update set
      holder = excluded.holder, process_id = excluded.process_id, held_until = excluded.held_until,
      attempts = held.attempts + 1
    returning *;
end
$$;

-- The number of the document that is next; null if none is.
create or replace function next_document(asked_process text, asked_at timestamptz, most_of_workspace integer)
returns integer
language sql
as $$
  with recursive waiting (workspace_id) as (
    (select workspace_id from document
     where status in ('queued', 'indexing', 'deleted') order by workspace_id limit 1)
    union all
    select (select document.workspace_id from document
            where status in ('queued', 'indexing', 'deleted') and document.workspace_id > waiting.workspace_id
            order by document.workspace_id limit 1)
    from waiting where waiting.workspace_id is not null
  ),
  candidate_workspace (id) as (
    select workspace_id from waiting where workspace_id is not null
    union
    select workspace_id from indexing_lease
  )
  select head.number
  from candidate_workspace
  left join indexing_turn turn on turn.workspace_id = candidate_workspace.id
  cross join lateral (
    select count(*) as leases from indexing_lease
    where indexing_lease.workspace_id = candidate_workspace.id and process_id = asked_process
      and holder is not null and held_until > clock_timestamp()
  ) here
  cross join lateral (
    select number from (
      (select document.number, document.updated_at as since, false as is_late
       from document left join indexing_lease lease on lease.document_number = document.number
       where document.workspace_id = candidate_workspace.id and status in ('queued', 'indexing', 'deleted')
         and not (document.revision < 1 and byte_count > 262144)
         and (lease.held_until is null or lease.held_until <= clock_timestamp())
         and (undo is null or restorable_until <= asked_at)
       order by document.updated_at, document.number limit 1)
      union all
      (select document.number, document.updated_at, document.updated_at > asked_at - interval '2 minutes'
       from document left join indexing_lease lease on lease.document_number = document.number
       where document.workspace_id = candidate_workspace.id and status in ('queued', 'indexing', 'deleted')
         and (document.revision < 1 and byte_count > 262144)
         and (lease.held_until is null or lease.held_until <= clock_timestamp())
         and (undo is null or restorable_until <= asked_at)
       order by document.updated_at, document.number limit 1)
      union all
      -- Documents that only have passages of an earlier revision to remove.
      (select document.number, document.updated_at, false
       from indexing_lease lease join document on document.number = lease.document_number
       where lease.workspace_id = candidate_workspace.id and lease.held_until <= clock_timestamp()
         and status in ('indexed', 'failed')
       order by document.updated_at, document.number limit 1)
    ) heads
    order by is_late, since, number
    limit 1
  ) head
  where here.leases < most_of_workspace
  order by here.leases, turn.at nulls first, candidate_workspace.id
  limit 1
$$;
