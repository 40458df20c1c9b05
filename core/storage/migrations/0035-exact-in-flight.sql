-- A process knows what it has in flight of a key, and not yet what of that will be let in: the database counts those.
alter table key_in_flight
  -- How many that were let in have ended, as far as the process has told.
  add column ended bigint not null default 0;

-- What a process holds of a key once it has told how many have ended. Its newest report also bounds what it can hold: what
-- was let in without its hearing of it is not held for ever.
create function in_flight_now(held key_in_flight, own_requests integer, own_ended bigint, own_report bigint)
returns key_in_flight
language plpgsql immutable
as $$
begin
  held.requests := held.requests - greatest(0, own_ended - held.ended);
  held.ended := greatest(held.ended, own_ended);
  if own_report > held.report then
    held.requests := least(held.requests, own_requests);
    held.report := own_report;
  end if;
  held.requests := greatest(held.requests, 0);
  return held;
end
$$;

-- As before, and exact however many come at once, in whatever order the database hears of them.
drop function admit_request(text, timestamptz, text, integer, bigint, integer, jsonb, boolean);
create function admit_request(
  asked_key_hash text,
  asked_at timestamptz,
  asked_process text,
  -- What the process has in flight of the key, this request included, how many that were let in have ended, and the number
  -- of that report.
  own_requests integer,
  own_ended bigint,
  own_report bigint,
  most_in_flight integer,
  -- By plan: messages a month, null for no end. A plan that is not in it has no access.
  quotas jsonb,
  counts_message boolean
)
returns table (
  key_id text,
  key_name text,
  key_ending text,
  rate_limit_minute integer,
  rate_limit_day integer,
  expires_at timestamptz,
  revoked_at timestamptz,
  key_created_at timestamptz,
  workspace json,
  refused text,
  minute_count integer,
  minute_started_at timestamptz,
  day_count integer,
  in_flight integer,
  message_counted boolean
)
language plpgsql
as $$
#variable_conflict use_column
declare
  key api_key;
  opened workspace;
  usage key_usage;
  held key_in_flight;
  flying integer := 0;
  refusal text;
  counted boolean;
  today date := (asked_at at time zone 'UTC')::date;
begin
  select * into key from api_key where key_hash = asked_key_hash;
  if not found then return; end if;
  select * into opened from workspace where id = key.workspace_id and deleted_at is null;
  if not found then return; end if;
  perform set_config('synchronous_commit', 'off', true);

  select * into usage from key_usage where key_usage.key_id = key.id for update;
  if not found then
    insert into key_usage values (key.id, asked_at, 0, today, 0) on conflict do nothing;
    select * into usage from key_usage where key_usage.key_id = key.id for update;
  end if;
  if asked_at >= usage.minute_started_at + interval '1 minute' then
    usage.minute_started_at := asked_at;
    usage.minute_count := 0;
  end if;
  if today > usage.day then
    usage.day := today;
    usage.day_count := 0;
  end if;

  if key.revoked_at is null and (key.expires_at is null or key.expires_at > asked_at) and quotas ? opened.plan then
    select * into held from key_in_flight where key_in_flight.key_id = key.id and process_id = asked_process for update;
    if not found then held := (key.id, asked_process, 0, 0, 0); end if;
    held := in_flight_now(held, own_requests - 1, own_ended, own_report);
    select coalesce(sum(requests), 0) + held.requests + 1 into flying
    from key_in_flight
    where key_in_flight.key_id = key.id and process_id <> asked_process and requests > 0 and process_lives(process_id);
    refusal := case
      when usage.minute_count >= key.rate_limit_minute then 'minute'
      when usage.day_count >= key.rate_limit_day then 'day'
      when flying > most_in_flight then 'concurrent'
    end;
    if refusal is null then
      usage.minute_count := usage.minute_count + 1;
      usage.day_count := usage.day_count + 1;
      update key_usage
      set minute_started_at = usage.minute_started_at, minute_count = usage.minute_count,
          day = usage.day, day_count = usage.day_count
      where key_usage.key_id = key.id;
      if counts_message then
        counted := reserve_message(opened.owner_id, date_trunc('month', today)::date,
                                   (quotas ->> opened.plan)::integer);
      end if;
    end if;
    if refusal is null then
      insert into key_in_flight (key_id, process_id, requests, report, ended)
      values (held.key_id, held.process_id, held.requests + 1, held.report, held.ended)
      on conflict (key_id, process_id)
      do update set requests = excluded.requests, report = excluded.report, ended = excluded.ended;
    end if;
  end if;
  return query
  select key.id, key.name, key.key_ending, key.rate_limit_minute, key.rate_limit_day, key.expires_at, key.revoked_at,
         key.created_at, row_to_json(opened), refusal, usage.minute_count, usage.minute_started_at, usage.day_count,
         flying, counted;
end
$$;
