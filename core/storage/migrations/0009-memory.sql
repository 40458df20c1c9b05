alter table conversation
  -- The position of the first message that is remembered: what comes up after a resolution begins anew.
  add column memory_from integer not null default 0,
  -- What was said before the position summary_until, in few words.
  add column summary text,
  add column summary_until integer not null default 0;

-- Where the memory of a conversation stands: [message_count, memory_from, summary_until]. A function, so that the
-- statement that calls store_turn sees what that has written.
create function memory_span(asked_conversation text) returns integer[]
language sql volatile
as $$ select array[message_count, memory_from, summary_until] from conversation where id = asked_conversation $$;

-- As before, and what reopens a resolved conversation finds its memory empty.
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
  insert into message (id, conversation_id, workspace_id, position, role, content, created_at, metadata, terms)
  values (question_id, before.id, asked_workspace, before.message_count, 'user', question, asked_at,
          question_metadata, question_terms);
  insert into message (id, conversation_id, workspace_id, position, role, content, created_at, terms, sources,
                       tokens_used, confidence, score, skills_fired, latency_ms, ended)
  values (answer_id, before.id, asked_workspace, before.message_count + 1, 'assistant', answer, asked_at,
          answer_terms, answer_sources, answer_tokens, answer_confidence, answer_score, answer_skills,
          answer_latency, answer_ended);
  return before.id;
end
$$;
