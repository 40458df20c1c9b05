alter table conversation
  add column priority text not null default 'normal' check (priority in ('low', 'normal', 'high', 'urgent')),
  add column snooze_until timestamptz,
  -- While it is escalated or claimed: the visitor's first message that no person has answered yet (null when all
  -- are), and the one that this handover began with.
  add column unanswered_since timestamptz,
  add column handover_since timestamptz,
  -- The visitor whose identity was proven, by the integrator's own name for him: from then on nobody else's.
  add column customer_user_id text,
  add check (status in ('open', 'claimed', 'escalated', 'snoozed', 'resolved', 'archived'));
create index conversation_started on conversation (workspace_id, started_at);
create index conversation_channel on conversation (workspace_id, channel, last_message_at desc, id desc);
-- Most are open, and those are found among the latest.
create index conversation_status on conversation (workspace_id, status, last_message_at desc, id desc)
  where status <> 'open';
create index conversation_customer on conversation (workspace_id, lower(customer_email), last_message_at desc, id desc)
  where customer_email is not null;
create index conversation_tags on conversation using gin (tags);
create index conversation_handover on conversation (workspace_id, handover_since) where handover_since is not null;
create index conversation_snoozed on conversation (snooze_until) where status = 'snoozed';

alter table message
  -- Hashes of the words that the message is found by, made with the workspace's id so that each workspace has lists
  -- of its own in the index; null where they have not been counted yet.
  add column terms integer[],
  -- Why an answer is not whole.
  add column ended text check (ended in ('cancelled', 'timeout')),
  -- The person who wrote it, where one did.
  add column author text,
  -- The transaction that stored it: whoever pages through conversations goes on in the order that they were in when
  -- he began, whatever was said since and whatever the clocks of other servers show.
  add column stored_in bigint not null default (pg_current_xact_id()::text::bigint);
create index message_terms on message using gin (terms);
create index message_uncounted on message (id) where terms is null;

create table note (
  id text primary key,
  conversation_id text not null references conversation (id) on delete cascade,
  workspace_id text not null,
  content text not null,
  author text not null,
  created_at timestamptz not null
);
create index note_conversation on note (conversation_id, created_at, id);

-- Of conversations that are gone as well, hence without a reference to them.
create table audit_entry (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  conversation_id text not null,
  action text not null,
  actor text not null,
  at timestamptz not null,
  details jsonb not null default '{}'
);
create index audit_entry_conversation on audit_entry (conversation_id, at, id);

-- Stores a question with its answer, both or neither, and returns their conversation: a new one, or the one given,
-- which a visitor's message opens again. Null where there is no such conversation in the workspace, or it is another
-- visitor's. Two turns of one conversation at once take turns at its row. One function, for a call is one round trip
-- and one commit.
create function store_turn(
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
        customer_user_id = user_id
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
