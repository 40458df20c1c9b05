-- As before, and an answer costs the same however many events its channel has had.
create or replace function commit_channel_turn(
  asked_channel text,
  asked_lane text,
  token text,
  sending_token text,
  lease interval,
  asked_workspace text,
  asked_conversation text,
  asked_message text,
  asked_address jsonb,
  parts jsonb,
  numbers bigint[],
  asked_at timestamptz,
  asked_heard timestamptz
)
returns jsonb
language plpgsql
as $$
declare
  sender text;
begin
  update lane
  set conversation_id = asked_conversation, address = asked_address, reachable = true, draft = null,
      heard_at = greatest(heard_at, asked_heard),
      sending = case when sending_token is not null and (sending is null or sending_until < clock_timestamp())
                     then sending_token else sending end,
      sending_until = case when sending_token is not null and (sending is null or sending_until < clock_timestamp())
                           then clock_timestamp() + lease else sending_until end
  where channel_id = asked_channel and lane = asked_lane and answering = token
  returning sending into sender;
  if not found then raise exception 'the lane went to another process' using errcode = 'PY001'; end if;
  if exists (select from conversation where id = asked_conversation and status = 'claimed') then
    raise exception 'a person took the conversation over' using errcode = 'PY002';
  end if;
  perform queue_parts(asked_channel, asked_workspace, asked_lane, asked_conversation, asked_message, 'bot', parts,
                      asked_at);
  -- By number and nothing else: of how many there may be in a channel the planner has no idea, and would read them all.
  update inbound_event set handled_at = asked_at, native = 'null', answer_id = asked_message
  where channel_id || '' = asked_channel and number = any(numbers);
  if sender is distinct from sending_token or sending_token is null then
    return jsonb_build_object('sending', false, 'next', null);
  end if;
  return jsonb_build_object('sending', true, 'next', next_part(asked_channel, asked_lane));
end
$$;
