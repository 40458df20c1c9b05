-- The processes that serve this database, each seen every few seconds: what a dead one held is free again.
create table process (
  id text primary key,
  roles text[] not null default '{}',
  started_at timestamptz not null,
  seen_at timestamptz not null
);

create function process_lives(asked_process text) returns boolean
language sql stable
return exists (select from process where id = asked_process and seen_at > now() - interval '15 seconds');

-- Room on each page, so that a count that changes all the time stays where it is.
create table key_usage (
  key_id text primary key references api_key (id) on delete cascade,
  minute_started_at timestamptz not null,
  minute_count integer not null,
  day date not null,
  day_count integer not null
) with (fillfactor = 50);

create table key_in_flight (
  key_id text not null references api_key (id) on delete cascade,
  process_id text not null,
  requests integer not null,
  -- Its number among the reports of the process: one that was overtaken changes nothing.
  report bigint not null,
  primary key (key_id, process_id)
) with (fillfactor = 50);

create table owner_usage (
  owner_id text not null references owner (id) on delete cascade,
  month date not null,
  messages integer not null,
  primary key (owner_id, month)
) with (fillfactor = 50);

create table token_bucket (
  name text primary key,
  tokens double precision not null,
  updated_at timestamptz not null
) with (fillfactor = 50);

create table idempotent_request (
  key_id text not null references api_key (id) on delete cascade,
  idempotency_key text not null,
  -- SHA-256 of the operation and the body, lower-case hexadecimal.
  request_hash text not null,
  -- Which request holds the key: one that was given up must not complete what its successor holds.
  claim text not null,
  -- Who works on it, until it is answered.
  process_id text not null,
  -- Null until it is answered.
  status integer,
  body text,
  created_at timestamptz not null,
  primary key (key_id, idempotency_key)
);
create index idempotent_request_age on idempotent_request (created_at);

-- Gives an idempotency key to one request. What is older than a day counts as absent; so does a claim whose process
-- died, and one older than any request lives. `claimed`: the caller has it now; else what holds it, `status` null while
-- that is in flight.
create function claim_idempotency_key(
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
  -- A claim that is lost with the machine was of a request that was lost with it: nobody waits for the disk here.
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
      -- Whoever brings a new one takes some old ones away.
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
    -- It may have been given back meanwhile.
    if found then return; end if;
  end loop;
end
$$;

-- Counts one message against an owner's month; false, and nothing counted, when `most` are used up. Null: no end.
create function reserve_message(asked_owner text, asked_month date, most integer) returns boolean
language plpgsql
as $$
begin
  -- A count may be lost with the machine, an answer may not: nobody waits for the disk here.
  perform set_config('synchronous_commit', 'off', true);
  insert into owner_usage as usage (owner_id, month, messages) values (asked_owner, asked_month, 1)
  on conflict (owner_id, month) do update set messages = usage.messages + 1
  where most is null or usage.messages < most;
  return found;
end
$$;

-- Takes one token from a bucket that holds `capacity` and fills up in `fill_seconds`. Returns 0 when there was one,
-- else the seconds until there will be.
create function take_token(bucket text, capacity integer, fill_seconds double precision, asked_at timestamptz)
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

-- Looks a key up and lets one request of it in: counted in its minute, its day, among its requests in flight and,
-- where `counts_message`, against its owner's month. No row: there is no such key. `refused` names the limit that is
-- reached, and nothing is counted then; neither is anything for a key that opens nothing. One call, for it stands
-- before every request.
create function admit_request(
  asked_key_hash text,
  asked_at timestamptz,
  asked_process text,
  -- What the process has in flight of the key, this request included, and the number of that report.
  own_requests integer,
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
    select coalesce(sum(requests), 0) + own_requests into flying
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
      insert into key_in_flight as held values (key.id, asked_process, own_requests, own_report)
      on conflict (key_id, process_id) do update set requests = excluded.requests, report = excluded.report
      where held.report < excluded.report;
    end if;
  end if;
  return query
  select key.id, key.name, key.key_ending, key.rate_limit_minute, key.rate_limit_day, key.expires_at, key.revoked_at,
         key.created_at, row_to_json(opened), refusal, usage.minute_count, usage.minute_started_at, usage.day_count,
         flying, counted;
end
$$;
