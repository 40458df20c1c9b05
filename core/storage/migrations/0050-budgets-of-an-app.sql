-- Of those that channels under the same app have in common, with the channel that has the app.
alter table send_budget add column of_app boolean not null default false;

-- As the one with two arguments, and each budget says which channel has it. That one stays for processes of the version
-- before, which may be at work still while they are replaced one by one.
create function reserve_send_budget(asked jsonb)
returns table (key text, wait_ms float8)
language plpgsql
as $$
#variable_conflict use_column
declare
  wanted record;
  spoken timestamptz;
  waits float8;
begin
  wait_ms := 0;
  for wanted in
    select told.channel_id, told.key, told.every, told.burst
    from jsonb_to_recordset(asked) as told (channel_id text, key text, every float8, burst float8)
    order by told.channel_id, told.key
  loop
    loop
      select spoken_until into spoken from send_budget
      where channel_id = wanted.channel_id and key = wanted.key for update;
      exit when found;
      insert into send_budget (channel_id, key, spoken_until)
      values (wanted.channel_id, wanted.key, clock_timestamp())
      on conflict do nothing;
    end loop;
    waits := extract(epoch from spoken - clock_timestamp()) * 1000 - wanted.every * (wanted.burst - 1);
    if waits > wait_ms then
      key := wanted.key;
      wait_ms := waits;
    end if;
  end loop;
  if wait_ms > 0 then
    return next;
    return;
  end if;
  for wanted in
    select told.channel_id, told.key, told.every
    from jsonb_to_recordset(asked) as told (channel_id text, key text, every float8)
  loop
    update send_budget
    set spoken_until = greatest(spoken_until, clock_timestamp()) + wanted.every * interval '1 millisecond'
    where channel_id = wanted.channel_id and key = wanted.key;
  end loop;
end
$$;
