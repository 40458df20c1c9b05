-- Whether the address of a customer is known to be theirs: signed for by the integrator, or vouched for by the platform.
-- Of the addresses that are stored already nobody noted it.
alter table conversation add column customer_email_verified boolean not null default false;
alter table visitor add column email_verified boolean not null default false;

drop function store_turn(
  text, text, text, text, text, text, timestamptz, text,
  text, text, text, text, text, jsonb, integer[], text,
  text, integer[], jsonb, integer, text, real, text[], integer, text
);
create function store_turn(
  asked_workspace text,
  -- Null begins one, under the id that is given next.
  asked_conversation text,
  new_conversation text,
  audit_id text,
  asked_channel text,
  asked_session text,
  asked_at timestamptz,
  -- What is null here stays as it is known. An address that is not verified does not replace one that is.
  email text,
  email_verified boolean,
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
  takes_email boolean;
begin
  if asked_conversation is null then
    insert into conversation (id, workspace_id, channel, session_id, started_at, last_message_at, message_count,
                              customer_email, customer_email_verified, customer_name, customer_phone,
                              customer_user_id)
    values (new_conversation, asked_workspace, asked_channel, asked_session, asked_at, asked_at, 2,
            email, email is not null and coalesce(email_verified, false), name, phone, user_id);
    before.id := new_conversation;
    before.message_count := 0;
  else
    select * into before from conversation
    where id = asked_conversation and workspace_id = asked_workspace for update;
    if not found then return null; end if;
    if before.customer_user_id is distinct from user_id and before.customer_user_id is not null then
      return null;
    end if;
    takes_email := email is not null
      and (coalesce(email_verified, false) or before.customer_email is null or not before.customer_email_verified);
    reopened := before.status in ('resolved', 'snoozed', 'archived');
    update conversation
    set last_message_at = greatest(last_message_at, asked_at),
        message_count = message_count + 2,
        status = case when reopened then 'open' else status end,
        resolved_at = case when reopened then null else resolved_at end,
        snooze_until = case when reopened then null else snooze_until end,
        unanswered_since = case when handover_since is null then null else coalesce(unanswered_since, asked_at) end,
        customer_email = case when takes_email then email else customer_email end,
        customer_email_verified = case when takes_email then coalesce(email_verified, false)
                                       else customer_email_verified end,
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

-- The customer of a conversation as webhooks carry it.
create function customer_of(told conversation) returns json
language sql immutable
as $$
  select json_build_object(
    'email', told.customer_email,
    'email_verified', case when told.customer_email is not null then told.customer_email_verified end,
    'name', told.customer_name,
    'phone', told.customer_phone)
$$;

create or replace function tell_of_status() returns trigger
language plpgsql
as $$
declare
  changed conversation;
begin
  if not exists (select from webhook where workspace_id = new.workspace_id and disabled_at is null) then
    return null;
  end if;
  select * into changed from conversation where id = new.conversation_id;
  if not found then return null; end if;
  perform tell_webhooks(new.workspace_id, changed.id, 'conversation.status_changed', new.at, json_build_object(
    'workspace_id', new.workspace_id, 'conversation_id', changed.id, 'channel', changed.channel,
    'from', new.details ->> 'from', 'to', new.details ->> 'to', 'actor', new.actor));
  if new.details ->> 'to' = 'escalated' then
    perform tell_webhooks(new.workspace_id, changed.id, 'conversation.escalated', new.at, json_build_object(
      'workspace_id', new.workspace_id, 'conversation_id', changed.id, 'channel', changed.channel,
      'reason', new.details ->> 'reason', 'actor', new.actor,
      'customer', customer_of(changed)));
  end if;
  return null;
end
$$;

create or replace function tell_of_conversation() returns trigger
language plpgsql
as $$
begin
  if not exists (select from webhook where workspace_id = new.workspace_id and disabled_at is null) then
    return null;
  end if;
  perform tell_webhooks(new.workspace_id, new.id, 'conversation.created', new.started_at, json_build_object(
    'workspace_id', new.workspace_id, 'conversation_id', new.id, 'channel', new.channel, 'status', new.status,
    'customer', customer_of(new)));
  return null;
end
$$;
