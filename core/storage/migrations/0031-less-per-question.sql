-- What every question costs the database, in less.

alter table workspace
  -- Whether it has skills of its own that are on: who answers does not look for them where there are none.
  add column own_skills boolean not null default false;
update workspace set own_skills = true
where exists (select from http_skill where workspace_id = workspace.id and enabled);

-- The workspace is locked before it is counted: of two changes at once the later one sees what the earlier one did.
create function note_own_skills() returns trigger language plpgsql as $$
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
create trigger note_own_skills after insert or delete or update of enabled on http_skill
  for each row execute function note_own_skills();

-- As before, and whether the workspace has skills of its own.
create or replace function lane_work(asked_channel text, asked_lane text, most integer)
returns jsonb
language plpgsql
as $$
declare
  work jsonb;
begin
  select jsonb_build_object(
    'opted_out', lane.opted_out,
    'joined', lane.conversation_id is not null,
    'conversation', (
      select jsonb_build_object('id', id, 'session_id', session_id, 'status', status, 'resolved_at', resolved_at)
      from conversation where id = lane.conversation_id
    ),
    'workspace', (
      select jsonb_build_object('id', id, 'owner_id', owner_id, 'name', name, 'plan', plan, 'settings', settings,
                                'public_token', public_token, 'created_at', created_at,
                                'own_skills', own_skills)
      from workspace where id = lane.workspace_id and deleted_at is null
    ),
    'events', coalesce((
      select jsonb_agg(event order by position) from (
        select number as position, jsonb_build_object(
          'number', number::text, 'native', native, 'attempts', attempts, 'received_at', received_at,
          'wait_ms', greatest(0, extract(epoch from settled_at - clock_timestamp()) * 1000)
        ) as event
        from inbound_event
        where channel_id = asked_channel and inbound_event.lane = asked_lane and handled_at is null and failure is null
        order by number limit most
      ) as waiting
    ), '[]')
  )
  into work from lane where lane.channel_id = asked_channel and lane.lane = asked_lane;
  return work;
end
$$;

-- The search of `search_candidates` in documents that nobody named, as one JSON value:
-- {"chunks", "frequencies": [[term, chunks]], "found": [...]}, its names as there; null where nothing may be searched.
-- What may be searched and what the terms weigh is found out first, so that the rest is a plan of half as many steps.
create function find_candidates(
  asked_workspace text,
  asked_audience text[],
  -- Null: all documents.
  asked_documents text[],
  asked_terms integer[],
  question vector,
  posting_budget integer
)
returns json
language plpgsql stable
set plan_cache_mode to force_generic_plan
-- Else a scope of middling size is compared whole and sorted where the graph index would do.
set enable_sort to off
as $$
#variable_conflict use_column
declare
  scopes integer[];
  flat integer[];
  graphs integer[];
  chunk_total double precision;
  average double precision;
  terms integer[];
  weights double precision[];
  -- Those whose postings are read: the rarest, as far as the budget goes.
  rare integer[];
  rare_weights double precision[];
  whole double precision;
  -- Whether the postings that are read are all that there are: what is not among them then counts 0.
  complete boolean;
  counted json;
begin
  if asked_documents is not null then
    return (
      select json_build_object(
        'chunks', coalesce(max(chunks), 0),
        'frequencies', (array_agg(frequencies) filter (where frequencies is not null))[1],
        'found', json_agg(json_build_object(
          'chunk_id', chunk_id, 'document_id', document_id, 'ordinal', ordinal, 'title', title, 'url', url,
          'headings', headings, 'body', body, 'bm25', bm25, 'cosine', cosine
        ))
      )
      from search_candidates(asked_workspace, asked_audience, asked_documents, asked_terms, question, posting_budget)
    );
  end if;

  select coalesce(array_agg(id), '{}'), coalesce(array_agg(id) filter (where graph <> 'built'), '{}'),
         coalesce(array_agg(id) filter (where graph = 'built'), '{}'), coalesce(sum(chunk_count), 0),
         greatest(coalesce(sum(term_count)::float8 / greatest(sum(chunk_count), 1), 0), 1)
  into scopes, flat, graphs, chunk_total, average
  from scope where workspace_id = asked_workspace and (audience = '{}' or audience && asked_audience);
  if scopes = '{}' then return null; end if;

  select array_agg(term), array_agg(weight),
         array_agg(term) filter (where is_read), array_agg(weight) filter (where is_read),
         greatest(sum(weight) * 2.2, 0.001), coalesce(max(reached), 0) <= posting_budget,
         json_agg(json_build_array(term, frequency))
  into terms, weights, rare, rare_weights, whole, complete, counted
  from (
    select term, frequency, reached,
           ln(1 + (chunk_total - frequency + 0.5) / (frequency + 0.5))::float8 as weight,
           -- The rarest one is read whatever it costs.
           reached <= posting_budget or reached = frequency as is_read
    from (
      select term, frequency, sum(frequency) over (order by frequency, term) as reached
      from (
        select asked.term, sum(known.chunk_count)::float8 as frequency
        from unnest(asked_terms) as asked (term)
        cross join unnest(scopes) as open_scope (id)
        cross join lateral (
          select chunk_count from term_count where scope_id = open_scope.id and term_count.term = asked.term offset 0
        ) known
        group by asked.term
      ) as term
    ) as ordered
  ) as weighed;

  return (
    with scored as materialized (
      select posting.chunk_id, sum(weighed.weight * posting.saturation) as score
      from unnest(rare, rare_weights) as weighed (term, weight)
      cross join unnest(scopes) as open_scope (id)
      cross join lateral (
        select chunk_id, bm25_saturation(term_frequency, chunk_length, average) as saturation
        from posting where posting.scope_id = open_scope.id and posting.term = weighed.term
        offset 0
      ) posting
      group by posting.chunk_id
    ),
    leg as (
      (
        select scored.chunk_id, null::float8 as similarity
        from scored
        order by scored.score desc, scored.chunk_id
        limit 60
      )
      union all
      (
        select vectors.chunk_id, -vectors.distance
        from unnest(flat) as open_scope (id)
        cross join lateral (
          select chunk_id, embedding <#> question as distance
          from chunk_vector where chunk_vector.scope_id = open_scope.id
          offset 0
        ) vectors
        order by vectors.distance
        limit 60
      )
      union all
      (
        select chunk_vector.chunk_id, -(embedding <#> question)
        from chunk_vector
        where in_graph and graphs <> '{}' and scope_id + 0 = any(graphs)
        order by embedding <#> question
        limit 60
      )
    ),
    best as materialized (
      select measured.*, 0.4 * measured.bm25 / whole + 0.6 * measured.cosine as promise
      from (
        select found.chunk_id,
               coalesce(found.similarity, (
                 select -(embedding <#> question) from chunk_vector where chunk_vector.chunk_id = found.chunk_id
               )) as cosine,
               case
                 when complete then coalesce(scored.score, 0)
                 else (
                   select coalesce(sum(weighed.weight * exact.saturation), 0)
                   from unnest(terms, weights) as weighed (term, weight)
                   cross join unnest(scopes) as open_scope (id)
                   cross join lateral (
                     select bm25_saturation(term_frequency, chunk_length, average) as saturation
                     from posting
                     where posting.scope_id = open_scope.id and posting.term = weighed.term
                       and posting.chunk_id = found.chunk_id
                     offset 0
                   ) exact
                 )
               end as bm25
        from (select chunk_id, max(similarity) as similarity from leg group by chunk_id) found
        left join scored on complete and scored.chunk_id = found.chunk_id
      ) measured
      order by promise desc nulls last, chunk_id
      limit 60
    ),
    -- In the order of the best, which lateral joins keep: it ends with the fortieth that is there.
    visible as (
      select best.chunk_id, document.document_id, chunk.ordinal, document.title, document.url, chunk.headings, chunk.body,
             best.bm25, best.cosine
      from best
      cross join lateral (select * from chunk where chunk.id = best.chunk_id offset 0) chunk
      cross join lateral (
        select id as document_id, title, url from document
        where document.number = chunk.document_number and document.revision = chunk.revision
          and document.workspace_id = asked_workspace
        offset 0
      ) document
      limit 40
    )
    select json_build_object('chunks', chunk_total, 'frequencies', counted, 'found', json_agg(row_to_json(visible)))
    from visible
  );
end
$$;
