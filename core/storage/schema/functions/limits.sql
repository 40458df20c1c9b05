-- Admission of API requests, quotas, rate limits and idempotency keys. Counters need not survive a crash of the
-- machine, so most of these commits do not wait for the disk.

-- A process writes `seen_at` every few seconds; after 15 seconds of silence it counts as dead.
create or replace function process_lives(asked_process text) returns boolean
language sql stable
return exists (select from process where id = asked_process and seen_at > now() - interval '15 seconds');

-- Looks up an API key and admits up to `asked_requests` concurrent requests of it: counted in its minute, its day, its
-- requests in flight and, with `count_messages`, its owner's month. `refused` names the limit that stopped the rest. No
-- row if there is no such key or workspace; nothing is counted for a key that is revoked, expired or without a plan. A
-- rotated key keeps working until its grace period ends. One call, since it precedes every request.
create or replace function admit_requests(
  asked_key_hash text,
  asked_at timestamptz,
  asked_process text,
  asked_requests integer,
  -- The report of the process for this key: its requests in flight (including these), how many admitted requests have
  -- ended, and the number of the report.
  own_requests integer,
  own_ended bigint,
  own_report bigint,
  most_in_flight integer,
  -- Messages a month for each plan, null for unlimited. A plan that is absent has no access.
  quotas jsonb,
  count_messages boolean
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
  let_in integer,
  refused text,
  -- From here on: the counts after the admission.
  minute_count integer,
  minute_started_at timestamptz,
  day_count integer,
  in_flight integer,
  messages_counted integer,
  key_scopes text[],
  key_workspaces text,
  key_networks text[],
  key_mode text
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
  room integer := 0;
  refusal text;
  counted integer;
  today date := (asked_at at time zone 'UTC')::date;
begin
  select * into key from api_key where key_hash = asked_key_hash;
  if not found then
    select * into key from api_key where previous_key_hash = asked_key_hash and previous_key_until > asked_at;
  end if;
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
    held := in_flight_now(held, own_requests - asked_requests, own_ended, own_report);
    select coalesce(sum(requests), 0) + held.requests into flying
    from key_in_flight
    where key_in_flight.key_id = key.id and process_id <> asked_process and requests > 0 and process_lives(process_id);
    room := greatest(0, least(asked_requests, key.rate_limit_minute - usage.minute_count,
                              key.rate_limit_day - usage.day_count, most_in_flight - flying));
    usage.minute_count := usage.minute_count + room;
    usage.day_count := usage.day_count + room;
    flying := flying + room;
    if room < asked_requests then
      refusal := case
        when usage.minute_count >= key.rate_limit_minute then 'minute'
        when usage.day_count >= key.rate_limit_day then 'day'
        else 'concurrent'
      end;
    end if;
    if room > 0 then
      update key_usage
      set minute_started_at = usage.minute_started_at, minute_count = usage.minute_count,
          day = usage.day, day_count = usage.day_count
      where key_usage.key_id = key.id;
      insert into key_in_flight (key_id, process_id, requests, report, ended)
      values (held.key_id, held.process_id, held.requests + room, held.report, held.ended)
      on conflict (key_id, process_id)
      do update set requests = excluded.requests, report = excluded.report, ended = excluded.ended;
      if count_messages then
        counted := reserve_messages(opened.owner_id, date_trunc('month', today)::date,
                                    (quotas ->> opened.plan)::integer, room);
      end if;
    end if;
  end if;
  return query
  select key.id, key.name, key.key_ending, key.rate_limit_minute, key.rate_limit_day, key.expires_at, key.revoked_at,
         key.created_at, row_to_json(opened), room, refusal, usage.minute_count, usage.minute_started_at, usage.day_count,
         flying, counted, key.scopes, key.workspaces, key.allowed_networks, key.mode;
end
$$;

-- Returns what a process holds of a key after its report. The newest report is also an upper bound: requests whose
-- admission the process never learned of are released by it.
create or replace function in_flight_now(held key_in_flight, own_requests integer, own_ended bigint, own_report bigint)
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

-- Counts `wanted` messages against an owner's month (named by its first day), or as many as are left of `most`; null
-- means unlimited. Returns how many were counted.
create or replace function reserve_messages(asked_owner text, asked_month date, most integer, wanted integer)
returns integer
language plpgsql
as $$
declare
  room integer;
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into owner_usage as usage (owner_id, month, messages)
  values (asked_owner, asked_month, case when most is null then wanted else least(wanted, most) end)
  on conflict (owner_id, month) do update set messages = usage.messages + wanted
  where most is null or usage.messages + wanted <= most
  returning least(wanted, messages) into room;
  if found then return room; end if;
  select greatest(0, most - messages) into room
  from owner_usage where owner_id = asked_owner and month = asked_month for update;
  -- A concurrent request may have reserved or released messages in the meantime.
  room := least(room, wanted);
  update owner_usage set messages = messages + room where owner_id = asked_owner and month = asked_month;
  return room;
end
$$;

-- Takes one token from a bucket of `capacity` that refills in `fill_seconds`. Returns 0 if there was one, otherwise the
-- seconds until there is.
create or replace function take_token(bucket text, capacity integer, fill_seconds float8, asked_at timestamptz)
returns double precision
language plpgsql
as $$
declare
  held double precision;
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into token_bucket as filled (name, tokens, updated_at) values (bucket, capacity, asked_at)
  on conflict (name) do update
  set tokens = least(capacity, filled.tokens + greatest(0, extract(epoch from asked_at - filled.updated_at))
                                             * capacity / fill_seconds),
      updated_at = greatest(filled.updated_at, asked_at)
  returning tokens into held;
  if held < 1 then return (1 - held) * fill_seconds / capacity; end if;
  update token_bucket set tokens = held - 1 where name = bucket;
  return 0;
end
$$;

-- Claims an idempotency key for one request. A claim is void after 24 hours; an unanswered one also if its process has
-- died or if it is older than any request can run (two minutes). `claimed`: the caller holds the key now. Otherwise the
-- row describes the holder; its `status` is null while that request is in flight.
create or replace function claim_idempotency_key(
  asked_key text,
  asked_name text,
  asked_hash text,
  asked_claim text,
  asked_process text,
  asked_at timestamptz
)
returns table (claimed boolean, same_request boolean, status integer, body text)
language plpgsql
as $$
#variable_conflict use_column
begin
  -- A claim that a crash of the machine loses belongs to a request that the crash ended too, so the commit does not
  -- wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
  loop
    insert into idempotent_request as held
      (key_id, idempotency_key, request_hash, claim, process_id, created_at)
    values (asked_key, asked_name, asked_hash, asked_claim, asked_process, asked_at)
    on conflict (key_id, idempotency_key) do update
    set request_hash = excluded.request_hash, claim = excluded.claim, process_id = excluded.process_id,
        status = null, body = null, created_at = excluded.created_at
    where held.created_at <= asked_at - interval '24 hours'
      or (held.status is null
          and (held.created_at <= asked_at - interval '2 minutes'
               or (held.process_id <> asked_process and not process_lives(held.process_id))));
    if found then
      -- Each new claim removes a few expired ones.
      delete from idempotent_request
      where ctid = any (array(
        select ctid from idempotent_request where created_at <= asked_at - interval '24 hours'
        limit 10 for update skip locked
      ));
      return query select true, true, null::integer, null::text;
      return;
    end if;
    return query
    select false, held.request_hash = asked_hash, held.status, held.body
    from idempotent_request held where held.key_id = asked_key and held.idempotency_key = asked_name;
    -- The other request may have released the key in the meantime: try again.
    if found then return; end if;
  end loop;
end
$$;

-- Stores the response of an idempotent request, in the transaction of its effects. Raises PY003 if the request has lost
-- its claim.
create or replace function complete_idempotent_request(
  asked_key text,
  asked_idempotency_key text,
  asked_claim text,
  asked_status integer,
  asked_body text
)
returns boolean
language plpgsql
as $$
begin
  update idempotent_request
  set status = asked_status, body = asked_body, conversation_id = asked_body::jsonb ->> 'conversation_id'
  where key_id = asked_key and idempotency_key = asked_idempotency_key and claim = asked_claim and status is null;
  if not found then raise exception 'the right to answer was given up' using errcode = 'PY003'; end if;
  return true;
end
$$;
