-- Search over documents: keyword (BM25) and vector legs, merged.

-- BM25 with k1 = 1.2 and b = 0.75: the weight of a term by its frequency in a chunk and the chunk's length.
create or replace function bm25_saturation(term_frequency smallint, chunk_length smallint, average_length float8)
returns float8
language sql immutable
return term_frequency * 2.2::float8
       / (term_frequency + 1.2::float8 * (0.25::float8 + 0.75::float8 * chunk_length / average_length));

-- Searches all documents that are open to the asker; passes a search in named documents, and one with the vectors of a
-- provider's model, to `search_candidates`. Returns
-- {"chunks", "frequencies": [[term, chunks]], "found": [...]} with the columns of that function, or null if there is
-- nothing to search. Three cases, each with its own plan:
--
-- The scopes and the weights of the terms are read first, which halves the plan of the rest. If all postings fit the
-- budget and no scope has a graph index, every chunk is measured: half the plan of two legs, and no candidate is
-- missed. Otherwise two legs (one, by words alone) choose candidates, and grouping (not a join) adds their word scores:
-- a join was planned without knowing the number of candidates and scanned all scores for each of them. Each candidate is
-- measured once.
--
-- core/knowledge/corpus measures the same in memory; a test compares the two.
create or replace function find_candidates(
  asked_workspace text,
  asked_audience text[],
  -- Null searches all documents.
  asked_documents text[],
  asked_terms integer[],
  -- Null if `vector_weight` is 0.
  question vector,
  posting_budget integer,
  -- Share of the cosine in the choice of candidates, 0 to 1; words have the rest. 0 finds by words alone and reads no
  -- vector.
  vector_weight double precision,
  -- The embedding model of `question`; 0 is the built-in one.
  asked_model integer
)
returns json
language plpgsql stable
set plan_cache_mode to force_generic_plan
-- Otherwise the planner compares and sorts all vectors of a medium-sized scope instead of using the graph index.
set enable_sort to off
-- Each document is looked up once or twice; caching it costs more.
set enable_memoize to off
as $$
#variable_conflict use_column
declare
  -- Under which the words of the scopes are: see scope.words_side.
  scopes integer[];
  flat integer[];
  graphs integer[];
  chunk_total double precision;
  average double precision;
  terms integer[];
  weights double precision[];
  -- The terms whose postings are read: the rarest ones, as far as the budget goes.
  rare integer[];
  rare_weights double precision[];
  whole double precision;
  -- True if the postings that are read are all postings: a chunk without one then scores 0.
  complete boolean;
  counted json;
begin
  if asked_documents is not null or asked_model <> 0 then
    return (
      select json_build_object(
        'chunks', coalesce(max(chunks), 0),
        'frequencies', (array_agg(frequencies) filter (where frequencies is not null))[1],
        'found', json_agg(json_build_object(
          'chunk_id', chunk_id, 'document_id', document_id, 'ordinal', ordinal, 'title', title, 'url', url,
          'headings', headings, 'body', body, 'bm25', bm25, 'cosine', cosine, 'place', place
        ))
      )
      from search_candidates(
        asked_workspace, asked_audience, asked_documents, asked_terms, question, posting_budget, vector_weight,
        asked_model
      )
    );
  end if;

  select coalesce(array_agg(id * words_side), '{}'), coalesce(array_agg(id) filter (where graph <> 'built'), '{}'),
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
           -- The rarest term is always read.
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

  if complete and graphs = '{}' and vector_weight > 0 then
    return (
      with visible as (
        select best.chunk_id, document.document_id, chunk.ordinal, document.title, document.url, chunk.headings,
               chunk.body, best.bm25, best.cosine, chunk.place
        from (
          select vectors.chunk_id, vectors.cosine, coalesce(scored.score, 0) as bm25
          from (
            select compared.chunk_id, compared.cosine
            from unnest(flat) as open_scope (id)
            cross join lateral (
              select chunk_id, -(embedding <#> question) as cosine
              from chunk_vector where chunk_vector.scope_id = open_scope.id
              offset 0
            ) compared
          ) vectors
          left join (
            select posting.chunk_id, sum(weighed.weight * posting.saturation) as score
            from unnest(terms, weights) as weighed (term, weight)
            cross join unnest(scopes) as open_scope (id)
            cross join lateral (
              select chunk_id, bm25_saturation(term_frequency, chunk_length, average) as saturation
              from posting where posting.scope_id = open_scope.id and posting.term = weighed.term
              offset 0
            ) posting
            group by posting.chunk_id
          ) scored on scored.chunk_id = vectors.chunk_id
          order by (1 - vector_weight) * coalesce(scored.score, 0) / whole + vector_weight * vectors.cosine desc nulls
                   last, vectors.chunk_id
          limit 60
        ) best
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
  end if;

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
        where vector_weight > 0
        order by vectors.distance
        limit 60
      )
      union all
      (
        select chunk_vector.chunk_id, -(embedding <#> question)
        from chunk_vector
        where in_graph and graphs <> '{}' and vector_weight > 0 and scope_id + 0 = any(graphs)
        order by embedding <#> question
        limit 60
      )
    ),
    best as materialized (
      select measured.*,
             (1 - vector_weight) * measured.bm25 / whole + vector_weight * coalesce(measured.cosine, 0) as promise
      from (
        select found.chunk_id,
               coalesce(found.similarity, (
                 select -(embedding <#> question) from chunk_vector
                 where vector_weight > 0 and chunk_vector.chunk_id = found.chunk_id
               )) as cosine,
               case
                 when complete then coalesce(found.score, 0)
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
        from (
          select chunk_id, max(similarity) as similarity, max(score) as score
          from (
            select chunk_id, similarity, null::float8 as score, true as is_candidate from leg
            union all
            select chunk_id, null, score, false from scored where complete
          ) told
          group by chunk_id
          having bool_or(is_candidate)
        ) found
        offset 0
      ) measured
      order by promise desc nulls last, chunk_id
      limit 60
    ),
    -- Lateral joins keep the order of `best`, so the limit stops at the fortieth chunk of a current revision.
    visible as (
      select best.chunk_id, document.document_id, chunk.ordinal, document.title, document.url, chunk.headings, chunk.body,
             best.bm25, best.cosine, chunk.place
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
