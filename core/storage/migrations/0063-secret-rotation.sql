-- A rotated secret leaves its predecessor beside it, which works until a time of its own. Only the last one is kept.
alter table workspace
  add column previous_identity_secret_encrypted text,
  add column previous_identity_secret_until timestamptz,
  add column previous_public_token text,
  add column previous_public_token_until timestamptz;
create unique index workspace_previous_public_token on workspace (previous_public_token)
  where previous_public_token is not null;
create index workspace_previous_public_token_until on workspace (previous_public_token_until)
  where previous_public_token_until is not null;
create index workspace_previous_identity_secret on workspace (previous_identity_secret_until)
  where previous_identity_secret_until is not null;

alter table webhook
  add column previous_secret_encrypted text,
  add column previous_secret_until timestamptz;
create index webhook_previous_secret on webhook (previous_secret_until) where previous_secret_until is not null;

alter table http_skill
  add column previous_secret_encrypted text,
  add column previous_secret_until timestamptz;
create index http_skill_previous_secret on http_skill (previous_secret_until) where previous_secret_until is not null;

alter table api_key
  add column previous_key_hash text,
  add column previous_key_until timestamptz;
create unique index api_key_previous_key on api_key (previous_key_hash) where previous_key_hash is not null;
create index api_key_previous_key_until on api_key (previous_key_until) where previous_key_until is not null;

-- Counts changes of credentials and settings: sealing the same credentials anew is none.
alter table channel add column revision integer not null default 0;

-- As before, and the previous value of a key opens what the key opens until its grace period ends.
create or replace function admit_requests(
  asked_key_hash text,
  asked_at timestamptz,
  asked_process text,
  asked_requests integer,
  -- What the process has in flight of the key, these requests included, how many that were let in have ended, and the
  -- number of that report.
  own_requests integer,
  own_ended bigint,
  own_report bigint,
  most_in_flight integer,
  -- By plan: messages a month, null for no end. A plan that is not in it has no access.
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
  -- This and what follows is as it stands with all that were let in.
  minute_count integer,
  minute_started_at timestamptz,
  day_count integer,
  in_flight integer,
  messages_counted integer
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
         flying, counted;
end
$$;
