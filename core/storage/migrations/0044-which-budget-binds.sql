-- As before, and where it has to wait also for which of the budgets: no row where it may go at once.
drop function reserve_send_budget(text, jsonb);
create function reserve_send_budget(asked_channel text, asked jsonb)
returns table (key text, wait_ms float8)
language plpgsql
as $$
#variable_conflict use_column
begin
  insert into send_budget (channel_id, key, spoken_until)
  select asked_channel, wanted.key, clock_timestamp() from jsonb_to_recordset(asked) as wanted (key text)
  order by wanted.key
  on conflict do nothing;
  perform from send_budget
  where channel_id = asked_channel and key in (select wanted.key from jsonb_to_recordset(asked) as wanted (key text))
  order by key for update;
  return query
  with waits as (
    select wanted.key,
           (extract(epoch from send_budget.spoken_until - clock_timestamp()) * 1000
            - wanted.every * (wanted.burst - 1))::float8 as wait_ms
    from jsonb_to_recordset(asked) as wanted (key text, every float8, burst float8)
    join send_budget on send_budget.channel_id = asked_channel and send_budget.key = wanted.key
  )
  select key, wait_ms from waits where wait_ms > 0 order by wait_ms desc limit 1;
  if found then return; end if;
  update send_budget
  set spoken_until = greatest(spoken_until, clock_timestamp()) + wanted.every * interval '1 millisecond'
  from jsonb_to_recordset(asked) as wanted (key text, every float8)
  where send_budget.channel_id = asked_channel and send_budget.key = wanted.key;
end
$$;
