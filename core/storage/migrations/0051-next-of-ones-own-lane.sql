-- As before, and tells what is next only to who has the lane still: another sends that.
create or replace function settle_sent_part(
  asked_channel text,
  asked_lane text,
  token text,
  answering_token text,
  asked_number bigint,
  tries integer,
  asked_platform_id text,
  asked_at timestamptz
)
returns jsonb
language plpgsql
as $$
declare
  holder text;
  following jsonb;
  nothing_waits boolean := false;
begin
  select sending into holder from lane where channel_id = asked_channel and lane = asked_lane for update;
  update outbound_part
  set status = 'sent', sent_at = asked_at, platform_message_id = asked_platform_id, attempts = tries, failure = null
  where number = asked_number and status || '' = 'waiting';
  following := next_part(asked_channel, asked_lane);
  if following is null then
    nothing_waits := answering_token is not null and not exists (
      select from inbound_event
      where channel_id = asked_channel and lane = asked_lane and handled_at is null and failure is null
        and settled_at <= clock_timestamp()
    );
    update lane
    set sending = case when sending = token then null else sending end,
        sending_until = case when sending = token then null else sending_until end,
        answering = case when nothing_waits and answering = answering_token then null else answering end,
        answering_until = case when nothing_waits and answering = answering_token then null else answering_until end
    where channel_id = asked_channel and lane = asked_lane;
  elsif holder is distinct from token then
    following := null;
  end if;
  return jsonb_build_object('next', following, 'let_go', nothing_waits);
end
$$;
