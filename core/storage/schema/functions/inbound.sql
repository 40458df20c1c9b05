-- Inbound events and lanes: store what a platform delivers, lease a lane to one worker, report what waits in it.
--
-- Each function is one round trip. They are written in plpgsql, whose statements keep their plans in a session and see
-- what was committed before each of them.

-- Returns the waiting events of a lane, up to `most`, and the state of its conversation: {"opted_out", "joined",
-- "conversation", "workspace", "events"}. Null if the lane does not exist.
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
      select jsonb_build_object('id', id, 'session_id', session_id, 'status', status, 'resolved_at', resolved_at,
                                'disclosed_at', disclosed_at)
      from conversation where id = lane.conversation_id
    ),
    'workspace', (
      select jsonb_build_object('id', id, 'owner_id', owner_id, 'name', name, 'plan', plan, 'settings', settings,
                                'public_token', public_token, 'created_at', created_at,
                                'own_skills', own_skills, 'correction', correction)
      from workspace where id = lane.workspace_id and deleted_at is null
    ),
    'events', coalesce((
      select jsonb_agg(event order by position) from (
        select number as position, jsonb_build_object(
          'number', number::text, 'event', event_id, 'native', native, 'attempts', attempts, 'received_at', received_at,
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

-- Leases a lane to `token`. Returns false if another process holds it. Locks the row first: a plain update does not wait
-- for a row that does not match, and a holder that is just releasing the lane may have checked for work before it saw
-- what this caller has stored.
create or replace function lease_lane(asked_channel text, asked_lane text, token text, lease interval)
returns boolean
language plpgsql
as $$
begin
  perform from lane where channel_id = asked_channel and lane = asked_lane for update;
  update lane set holder = token, held_until = clock_timestamp() + lease
  where channel_id = asked_channel and lane = asked_lane and (holder is null or held_until < clock_timestamp());
  return found;
end
$$;

-- Leases a lane and returns its work; null if another process holds it. `lane_work` runs as a second statement, so it
-- sees everything that the previous holder has committed.
create or replace function lease_lane_work(asked_channel text, asked_lane text, token text, lease interval, most integer)
returns jsonb
language plpgsql
as $$
begin
  -- A lease need not survive a crash of the machine, so the commit does not wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
  if not lease_lane(asked_channel, asked_lane, token, lease) then return null; end if;
  return lane_work(asked_channel, asked_lane, most);
end
$$;

-- Returns whether the waiting events of a lane are due: all of them, since the later ones may belong to the same turn.
create or replace function is_turn_due(asked_channel text, asked_lane text)
returns boolean
language plpgsql
as $$
begin
  return coalesce((
    select max(settled_at) <= clock_timestamp() from inbound_event
    where channel_id = asked_channel and lane = asked_lane and handled_at is null and failure is null
  ), false);
end
$$;

-- Releases a lane. Returns what is due in it, 'part' or 'event', and then keeps the lease; null if it was released, or if
-- `token` no longer holds it. The check runs under the row's lock and sees all that was committed before, so a process
-- that was refused the lane has its event or part noticed here.
create or replace function release_lane(asked_channel text, asked_lane text, token text, asked_at timestamptz)
returns text
language plpgsql
as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  perform from lane where channel_id = asked_channel and lane = asked_lane and holder = token for update;
  if not found then return null; end if;
  if (
    select next_attempt_at <= asked_at from outbound_part
    where channel_id = asked_channel and lane = asked_lane and status = 'waiting'
    order by number limit 1
  ) then
    return 'part';
  end if;
  if is_turn_due(asked_channel, asked_lane) then return 'event'; end if;
  update lane set holder = null, held_until = null where channel_id = asked_channel and lane = asked_lane;
  return null;
end
$$;

-- Stores the deliveries of a platform, each event id once, and leases the lanes that are answered in this process.
-- Returns a row for each new delivery, then a row without `event_id` for each leased lane, with its work. Never waits
-- for a lane that another process holds or has locked: existing lanes are not inserted, since an insert waits for the
-- lock.
create or replace function receive_deliveries(
  asked_channel text,
  asked_workspace text,
  asked_at timestamptz,
  -- An array of {"event_id", "lane", "native", "settle_ms", "first_settle_ms"}.
  deliveries jsonb,
  -- An array of {"key", "value"}.
  memories jsonb,
  -- The lanes to lease: an array of {"lane", "holder"}. Processes before migration 0073 name the holder otherwise, and
  -- get no lease.
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
    insert into lane (channel_id, lane, workspace_id, holder, held_until)
    select distinct asked_channel, told.lane, asked_workspace, taker.holder,
                    case when taker.holder is not null then clock_timestamp() + lease end
    from jsonb_to_recordset(deliveries) as told (lane text)
    left join jsonb_to_recordset(takers) as taker (lane text, holder text) on taker.lane = told.lane
    -- A lookup by key for each lane. The planner does not know how few deliveries there are, so a join may read all
    -- lanes of the channel.
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
  for taker in select told.lane, told.holder from jsonb_to_recordset(takers) as told (lane text, holder text) loop
    continue when taker.holder is null or taker.lane <> all(fresh);
    if taker.lane <> all(coalesce(begun, '{}')) then
      update lane set holder = taker.holder, held_until = clock_timestamp() + lease
      where (channel_id, lane) = (
        select free.channel_id, free.lane from lane as free
        where free.channel_id = asked_channel and free.lane = taker.lane
          and (free.holder is null or free.held_until < clock_timestamp())
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
