-- Search in named documents.

-- Searches by words and by vectors in named documents. Both legs, and every number in them (term counts, average
-- length, BM25), see only scopes that are open to the asker.
--
-- A function, so that a session plans it once: planning takes longer than running. The plan must not depend on the
-- parameters. Hence `offset 0` (look up row by row, through the index), `+ 0` (not through that index) and limits that
-- the planner knows; otherwise it takes the graph index to be useless. Each leg returns 60 rows, more than the 40 of
-- the result, because some belong to outdated revisions.
create or replace function search_candidates(
  asked_workspace text,
  -- Audience tags of the asker.
  asked_audience text[],
  -- Null searches all documents.
  asked_documents text[],
  -- Distinct term hashes of the question.
  asked_terms integer[],
  -- Of unit length, like all stored vectors: the inner product then equals the cosine, at half the cost. Null if
  -- `vector_weight` is 0.
  question vector,
  -- The rarest terms contribute candidates until about this many postings are read.
  posting_budget integer,
  -- Share of the cosine in the choice of candidates, 0 to 1; words have the rest. 0 finds by words alone.
  vector_weight double precision,
  -- The embedding model of `question` and of the vectors to compare; 0 is the built-in one, whose vectors are in
  -- chunk_vector.
  asked_model integer
)
returns table (
  chunk_id integer,
  document_id text,
  ordinal integer,
  title text,
  url text,
  headings text[],
  body text,
  bm25 double precision,
  cosine double precision,
  -- Number of chunks in the searched scopes.
  chunks double precision,
  -- On the first row only: [term, number of those chunks that contain it] for every term that occurs.
  frequencies json,
  -- Where in its document the passage stands.
  place jsonb
)
language plpgsql stable
set plan_cache_mode to force_generic_plan
-- Otherwise the planner compares and sorts all vectors of a medium-sized scope instead of using the graph index.
set enable_sort to off
as $$
#variable_conflict use_column
begin
  return query
  with open_scope as materialized (
    select scope.id, scope.id * scope.words_side as words, scope.chunk_count, scope.term_count,
           scope.graph = 'built' as in_graph
    from scope
    where workspace_id = asked_workspace and (audience = '{}' or audience && asked_audience)
  ),
  total as materialized (
    select coalesce(sum(chunk_count), 0)::float8 as chunks,
           greatest(coalesce(sum(term_count), 0)::float8 / greatest(sum(chunk_count), 1), 1)::float8 as average_length
    from open_scope
  ),
  wanted as materialized (
    select chunk.id
    from unnest(asked_documents) as asked (document_id)
    join document on document.id = asked.document_id and document.workspace_id = asked_workspace
    join chunk on chunk.document_number = document.number and chunk.revision = document.revision
    -- `is not null` is for the planner: without it, a search without named documents scans all documents.
    where asked_documents is not null and chunk.scope_id in (select id from open_scope)
  ),
  term as materialized (
    select asked.term, sum(counted.chunk_count)::float8 as frequency
    from unnest(asked_terms) as asked (term)
    cross join open_scope
    cross join lateral (
      select chunk_count from term_count where scope_id = open_scope.words and term_count.term = asked.term offset 0
    ) counted
    group by asked.term
  ),
  weighed as materialized (
    select term.term, term.frequency,
           ln(1 + (total.chunks - term.frequency + 0.5) / (term.frequency + 0.5))::float8 as weight,
           total.average_length,
           sum(term.frequency) over (order by term.frequency, term.term) as reached,
           row_number() over (order by term.frequency, term.term) as place
    from term, total
  ),
  -- True if the postings that are read are all postings: a chunk without one then scores 0.
  complete as materialized (
    select coalesce(max(reached), 0) <= posting_budget and asked_documents is null as known from weighed
  ),
  scored as materialized (
    select found.chunk_id, sum(weighed.weight * found.saturation) as score
    from weighed
    cross join open_scope
    cross join lateral (
      select posting.chunk_id,
             bm25_saturation(posting.term_frequency, posting.chunk_length, weighed.average_length) as saturation
      from posting
      where posting.scope_id = open_scope.words and posting.term = weighed.term
        and (asked_documents is null or posting.chunk_id in (select id from wanted))
      offset 0
    ) found
    where weighed.reached <= posting_budget or weighed.place = 1
    group by found.chunk_id
  ),
  words as materialized (
    select chunk_id, score from scored order by score desc, chunk_id limit 60
  ),
  near as materialized (
    (
      select vectors.chunk_id, -vectors.distance as similarity
      from open_scope
      cross join lateral (
        select chunk_vector.chunk_id, embedding <#> question as distance
        from chunk_vector where chunk_vector.scope_id = open_scope.id offset 0
      ) vectors
      where asked_model = 0 and asked_documents is null and not open_scope.in_graph and vector_weight > 0
      order by vectors.distance
      limit 60
    )
    union all
    (
      select chunk_vector.chunk_id, -(embedding <#> question) as similarity
      from chunk_vector
      where asked_model = 0 and in_graph and asked_documents is null and vector_weight > 0
        and exists (select from open_scope where open_scope.in_graph)
        and scope_id + 0 = any(array(select id from open_scope where open_scope.in_graph))
      order by embedding <#> question
      limit 60
    )
    union all
    (
      select wanted.id, -vectors.distance as similarity
      from wanted
      cross join lateral (
        select embedding <#> question as distance from chunk_vector where chunk_vector.chunk_id = wanted.id offset 0
      ) vectors
      where asked_model = 0 and vector_weight > 0
      order by vectors.distance
      limit 60
    )
    union all
    (
      select vectors.chunk_id, -vectors.distance as similarity
      from open_scope
      cross join lateral (
        select model_vector.chunk_id, embedding <#> question as distance
        from model_vector where model_vector.model_id = asked_model and model_vector.scope_id = open_scope.id offset 0
      ) vectors
      where asked_model <> 0 and asked_documents is null and not open_scope.in_graph and vector_weight > 0
      order by vectors.distance
      limit 60
    )
    union all
    (
      select graph.chunk_id, graph.similarity
      from near_in_graph(asked_model, array(select id from open_scope where open_scope.in_graph), question) graph
      where asked_model <> 0 and asked_documents is null and vector_weight > 0
    )
    union all
    (
      select wanted.id, -vectors.distance as similarity
      from wanted
      cross join lateral (
        select embedding <#> question as distance
        from model_vector where model_vector.chunk_id = wanted.id and model_vector.model_id = asked_model offset 0
      ) vectors
      where asked_model <> 0 and vector_weight > 0
      order by vectors.distance
      limit 60
    )
  ),
  found as materialized (
    select leg.chunk_id, max(leg.score) as score, max(leg.similarity) as similarity
    from (
      select words.chunk_id, words.score, null::float8 as similarity from words
      union all
      select near.chunk_id, null, near.similarity from near
    ) leg
    group by leg.chunk_id
  ),
  measured as materialized (
    select found.chunk_id,
           coalesce(
             found.similarity,
             (
               select -(embedding <#> question) from chunk_vector
               where asked_model = 0 and vector_weight > 0 and chunk_vector.chunk_id = found.chunk_id
             ),
             (
               select -(embedding <#> question) from model_vector
               where asked_model <> 0 and vector_weight > 0 and model_vector.chunk_id = found.chunk_id
                 and model_vector.model_id = asked_model
             )
           ) as cosine,
           case
             when complete.known then coalesce(scored.score, 0)
             else (
               select coalesce(sum(weighed.weight * exact.saturation), 0)
               from weighed
               cross join open_scope
               cross join lateral (
                 select bm25_saturation(term_frequency, chunk_length, weighed.average_length) as saturation
                 from posting
                 where posting.scope_id = open_scope.words and posting.term = weighed.term
                   and posting.chunk_id = found.chunk_id
                 offset 0
               ) exact
             )
           end as bm25
    from complete
    cross join found
    left join scored on complete.known and scored.chunk_id = found.chunk_id
  ),
  best as materialized (
    select measured.*,
           (1 - vector_weight) * measured.bm25 / (select greatest(sum(weight) * 2.2, 0.001) from weighed)
           + vector_weight * coalesce(measured.cosine, 0) as promise
    from measured
    order by promise desc nulls last, chunk_id
    limit 60
  ),
  visible as materialized (
    select best.chunk_id, document.id as document_id, chunk.ordinal, document.title, document.url,
           chunk.headings, chunk.body, best.bm25, best.cosine, chunk.place
    from best
    cross join lateral (select * from chunk where chunk.id = best.chunk_id offset 0) chunk
    cross join lateral (
      select * from document
      where document.number = chunk.document_number and document.revision = chunk.revision
        and document.workspace_id = asked_workspace
      offset 0
    ) document
    order by promise desc nulls last, best.chunk_id
    limit 40
  )
  select visible.chunk_id, visible.document_id, visible.ordinal, visible.title, visible.url, visible.headings,
         visible.body, visible.bm25, visible.cosine, total.chunks,
         case when row_number() over () = 1
              then (select json_agg(json_build_array(term, frequency)) from weighed) end,
         visible.place
  from visible, total;
end
$$;

-- Finds the 60 nearest vectors of a provider's model among those in its graph index, best first. The index is on the
-- embedding with the model's dimensions, so the statement is written for the model: pgvector indexes `vector` up to 2,000
-- dimensions, `halfvec` up to 4,000. core/knowledge/embedding/embedding-models.ts creates the index.
create or replace function near_in_graph(asked_model integer, asked_scopes integer[], question vector)
returns table (chunk_id integer, similarity double precision)
language plpgsql stable
set enable_sort to off
as $$
declare
  kind text;
begin
  if asked_scopes = '{}' then return; end if;
  select case when dimensions <= 2000 then 'vector' else 'halfvec' end || '(' || dimensions || ')' into kind
  from embedding_model where id = asked_model;
  return query execute format(
    'select chunk_id, -((embedding::%1$s) <#> $1::%1$s) from model_vector
     where in_graph and model_id = %2$s and scope_id + 0 = any($2)
     order by (embedding::%1$s) <#> $1::%1$s limit 60',
    kind, asked_model
  ) using question, asked_scopes;
end
$$;
