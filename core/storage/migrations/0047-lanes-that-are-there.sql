-- As before, and lanes that are there are left alone: an insert would wait for whoever is busy with one of them.
create or replace function receive_deliveries(
  asked_channel text,
  asked_workspace text,
  asked_at timestamptz,
  -- Of each {"event_id", "lane", "native", "settle_ms", "first_settle_ms"}.
  deliveries jsonb,
  -- Of each {"key", "value"}.
  memories jsonb,
  -- Of each lane that is to be taken {"lane", "token"}.
  takers jsonb,
  lease interval,
  most integer
)
returns table (event_id text, number bigint, lane text, settle_ms float8, work jsonb)
language plpgsql
as $$
#variable_conflict use_column
declare
  begun text[];
  fresh text[] := '{}';
  taker record;
begin
  if jsonb_array_length(memories) > 0 then
    insert into channel_memory (channel_id, key, value, at)
    select asked_channel, key, value, asked_at from jsonb_to_recordset(memories) as told (key text, value jsonb)
    on conflict (channel_id, key) do update set value = excluded.value, at = excluded.at;
  end if;
  with begins as (
    insert into lane (channel_id, lane, workspace_id, answering, answering_until)
    select distinct asked_channel, told.lane, asked_workspace, taker.token,
                    case when taker.token is not null then clock_timestamp() + lease end
    from jsonb_to_recordset(deliveries) as told (lane text)
    left join jsonb_to_recordset(takers) as taker (lane text, token text) on taker.lane = told.lane
    -- Each by its key: joined, all of them may be read, as how few are told is not known where that is planned.
    where (select there.lane from lane as there where there.channel_id = asked_channel and there.lane = told.lane) is null
    order by told.lane
    on conflict do nothing
    returning lane
  )
  select array_agg(lane) into begun from begins;
  for event_id, number, lane, settle_ms in
    insert into inbound_event (channel_id, workspace_id, event_id, lane, native, received_at, settled_at)
    select asked_channel, asked_workspace, event_id, lane, native, asked_at,
           clock_timestamp() + interval '1 millisecond' * case
             when lane = any(begun) then greatest(settle_ms, first_settle_ms) else settle_ms
           end
    from rows from (jsonb_to_recordset(deliveries)
      as (event_id text, lane text, native jsonb, settle_ms integer, first_settle_ms integer)) with ordinality
      as told (event_id, lane, native, settle_ms, first_settle_ms, ordinality)
    order by ordinality
    on conflict (channel_id, event_id) do nothing
    returning event_id, number, lane, greatest(0, extract(epoch from settled_at - clock_timestamp()) * 1000)::float8
  loop
    fresh := fresh || lane;
    return next;
  end loop;
  event_id := null;
  number := null;
  settle_ms := null;
  for taker in select told.lane, told.token from jsonb_to_recordset(takers) as told (lane text, token text) loop
    continue when taker.lane <> all(fresh);
    if taker.lane <> all(coalesce(begun, '{}')) then
      update lane set answering = taker.token, answering_until = clock_timestamp() + lease
      where (channel_id, lane) = (
        select free.channel_id, free.lane from lane as free
        where free.channel_id = asked_channel and free.lane = taker.lane
          and (free.answering is null or free.answering_until < clock_timestamp())
        for update skip locked
      );
      continue when not found;
    end if;
    lane := taker.lane;
    work := lane_work(asked_channel, taker.lane, most);
    return next;
  end loop;
end
$$;
