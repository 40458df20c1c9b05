-- Rows are looked for by their key and by nothing else (`|| ''` keeps another index from being one for them): a session
-- makes its plans once, often while tables are empty or hardly anything waits, when an index of all that waits looks as
-- good. With ten thousand that wait it is read to its end for each of them.

-- Whoever looks for what is due goes by lanes.
drop index outbound_part_due;

-- A part goes with its message, which goes with its conversation. Each deleted conversation had all parts read for its own.
alter table outbound_part drop constraint outbound_part_conversation_id_fkey;

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
  handled bigint;
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
  if exists (select from conversation where id = asked_conversation and status || '' = 'claimed') then
    raise exception 'a person took the conversation over' using errcode = 'PY002';
  end if;
  perform queue_parts(asked_channel, asked_workspace, asked_lane, asked_conversation, asked_message, 'bot', parts,
                      asked_at);
  -- One by one: what is planned for an array is planned for each anew, or once and for all while the table is empty.
  foreach handled in array numbers loop
    update inbound_event set handled_at = asked_at, native = 'null', answer_id = asked_message
    where channel_id || '' = asked_channel and number = handled;
  end loop;
  if sender is distinct from sending_token or sending_token is null then
    return jsonb_build_object('sending', false, 'next', null);
  end if;
  return jsonb_build_object('sending', true, 'next', next_part(asked_channel, asked_lane));
end
$$;

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
  following jsonb;
  nothing_waits boolean := false;
begin
  perform from lane where channel_id = asked_channel and lane = asked_lane for update;
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
  end if;
  return jsonb_build_object('next', following, 'let_go', nothing_waits);
end
$$;

create or replace function require_nobody_took_over(asked_conversation text) returns boolean language plpgsql as $$
begin
  if exists (select from conversation where id = asked_conversation and status || '' in ('claimed', 'escalated')) then
    raise exception 'a person took the conversation over' using errcode = 'PY002';
  end if;
  return true;
end
$$;

-- As before, in one insert.
create or replace function store_turn(
  asked_workspace text,
  -- Null begins one, under the id that is given next.
  asked_conversation text,
  new_conversation text,
  audit_id text,
  asked_channel text,
  asked_session text,
  asked_at timestamptz,
  -- What is null here stays as it is known.
  email text,
  name text,
  phone text,
  -- Null for a visitor whose identity was not proven.
  user_id text,
  question_id text,
  question text,
  question_metadata jsonb,
  question_terms integer[],
  answer_id text,
  answer text,
  answer_terms integer[],
  answer_sources jsonb,
  answer_tokens integer,
  answer_confidence text,
  answer_score real,
  answer_skills text[],
  answer_latency integer,
  answer_ended text
)
returns text
language plpgsql
as $$
#variable_conflict use_column
declare
  before conversation;
  reopened boolean := false;
begin
  if asked_conversation is null then
    insert into conversation (id, workspace_id, channel, session_id, started_at, last_message_at, message_count,
                              customer_email, customer_name, customer_phone, customer_user_id)
    values (new_conversation, asked_workspace, asked_channel, asked_session, asked_at, asked_at, 2,
            email, name, phone, user_id);
    before.id := new_conversation;
    before.message_count := 0;
  else
    select * into before from conversation
    where id = asked_conversation and workspace_id = asked_workspace for update;
    if not found then return null; end if;
    if before.customer_user_id is distinct from user_id and before.customer_user_id is not null then
      return null;
    end if;
    reopened := before.status in ('resolved', 'snoozed', 'archived');
    update conversation
    set last_message_at = greatest(last_message_at, asked_at),
        message_count = message_count + 2,
        status = case when reopened then 'open' else status end,
        resolved_at = case when reopened then null else resolved_at end,
        snooze_until = case when reopened then null else snooze_until end,
        unanswered_since = case when handover_since is null then null else coalesce(unanswered_since, asked_at) end,
        customer_email = coalesce(email, customer_email),
        customer_name = coalesce(name, customer_name),
        customer_phone = coalesce(phone, customer_phone),
        customer_user_id = user_id,
        memory_from = case when before.status = 'resolved' then before.message_count else memory_from end,
        awaited = case when before.status = 'resolved' or before.memory_from = before.message_count then null
                       else awaited end
    where id = before.id;
    if reopened then
      insert into audit_entry (id, workspace_id, conversation_id, action, actor, at, details)
      values (audit_id, asked_workspace, before.id, 'status_changed', 'visitor', asked_at,
              json_build_object('from', before.status, 'to', 'open'));
    end if;
  end if;
  insert into message (id, conversation_id, workspace_id, position, role, content, created_at, metadata, terms, sources,
                       tokens_used, confidence, score, skills_fired, latency_ms, ended)
  values (question_id, before.id, asked_workspace, before.message_count, 'user', question, asked_at,
          question_metadata, question_terms, null, null, null, null, null, null, null),
         (answer_id, before.id, asked_workspace, before.message_count + 1, 'assistant', answer, asked_at,
          null, answer_terms, answer_sources, answer_tokens, answer_confidence, answer_score, answer_skills,
          answer_latency, answer_ended);
  return before.id;
end
$$;
