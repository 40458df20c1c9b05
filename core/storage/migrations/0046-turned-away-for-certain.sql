-- Takes a lane; false where somebody else has it. Whoever is just leaving it is waited for: he may have looked before what
-- the one that comes now has seen, and a row that does not match is not waited for by an update alone.
create function take_lane(asked_channel text, asked_lane text, asked_role text, token text, lease interval)
returns boolean
language plpgsql
as $$
begin
  perform from lane where channel_id = asked_channel and lane = asked_lane for update;
  if asked_role = 'answering' then
    update lane set answering = token, answering_until = clock_timestamp() + lease
    where channel_id = asked_channel and lane = asked_lane
      and (answering is null or answering_until < clock_timestamp());
  else
    update lane set sending = token, sending_until = clock_timestamp() + lease
    where channel_id = asked_channel and lane = asked_lane
      and (sending is null or sending_until < clock_timestamp());
  end if;
  return found;
end
$$;

-- As before, with that.
create or replace function take_lane_work(asked_channel text, asked_lane text, token text, lease interval, most integer)
returns jsonb
language plpgsql
as $$
begin
  -- A lease need not outlive the machine: nobody waits for the disk here.
  perform set_config('synchronous_commit', 'off', true);
  if not take_lane(asked_channel, asked_lane, 'answering', token, lease) then return null; end if;
  return lane_work(asked_channel, asked_lane, most);
end
$$;
