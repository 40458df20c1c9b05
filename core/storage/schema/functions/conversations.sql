-- Conversations and messages: store a turn, keep times in order, erase copies.

-- Stores a question and its answer, both or neither, and returns the id of their conversation: a new one, or the given
-- one, which a visitor's message reopens. Reopening a resolved conversation starts its memory anew. Returns null if the
-- workspace has no such conversation, or if it belongs to another verified visitor. Concurrent turns of one
-- conversation run one after the other, by its row lock. One function, so that a turn costs one round trip and one
-- commit.
create or replace function store_turn(
  asked_workspace text,
  -- Null creates a conversation with the id `new_conversation`.
  asked_conversation text,
  new_conversation text,
  audit_id text,
  asked_channel text,
  asked_session text,
  asked_at timestamptz,
  -- Null keeps the stored value. An unverified address does not replace a verified one.
  email text,
  email_verified boolean,
  name text,
  phone text,
  -- Null for a visitor without a verified identity.
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
  answer_ended text,
  answer_decision jsonb,
  answer_citations jsonb,
  answer_tier text,
  answer_probability real,
  answer_generated boolean,
  answer_quoted boolean,
  answer_lead text,
  answer_trace jsonb,
  -- The visitor's id as the request stated it, without a proof.
  stated_user text
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
                              visitor_position, customer_email, customer_email_verified, customer_name, customer_phone,
                              customer_user_id, stated_user_id, metadata)
    values (new_conversation, asked_workspace, asked_channel, asked_session, asked_at, asked_at, 2, 0,
            email, email is not null and coalesce(email_verified, false), name, phone, user_id, stated_user, merged_metadata(asked_channel, null, question_metadata));
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
        visitor_position = message_count,
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
        stated_user_id = coalesce(stated_user, stated_user_id),
        metadata = merged_metadata(channel, metadata, question_metadata),
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
                       tokens_used, confidence, score, skills_fired, latency_ms, ended, decision, citations, tier,
                       probability, ai_generated, quoted, lead, trace)
  values (question_id, before.id, asked_workspace, before.message_count, 'user', question, asked_at,
          question_metadata, question_terms, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null),
         (answer_id, before.id, asked_workspace, before.message_count + 1, 'assistant', answer, asked_at,
          null, answer_terms, answer_sources, answer_tokens, answer_confidence, answer_score, answer_skills,
          answer_latency, answer_ended, answer_decision, answer_citations, answer_tier, answer_probability,
          answer_generated, answer_quoted, answer_lead, answer_trace);
  return before.id;
end
$$;

-- Returns the metadata of a conversation with that of a message, whose values count. If both together take more than 16 KB,
-- those of the message alone are kept. Connectors store ids of their platforms with a message, which are nobody else's.
create or replace function merged_metadata(spoken_channel text, kept jsonb, sent jsonb) returns jsonb
language sql immutable
as $$
  select case
    when spoken_channel not in ('api', 'widget', 'hosted') or sent is null or sent - 'attachments' = '{}' then kept
    when octet_length((coalesce(kept, '{}') || (sent - 'attachments'))::text) > 16384 then sent - 'attachments'
    else coalesce(kept, '{}') || (sent - 'attachments')
  end
$$;

-- Returns the state of a conversation's memory: [message_count, memory_from, summary_until]. A function of its own, so
-- that the statement that calls `store_turn` sees what that has written.
create or replace function memory_span(asked_conversation text) returns integer[]
language plpgsql
as $$
begin
  return (
    select array[message_count, memory_from, summary_until] from conversation where id = asked_conversation
  );
end
$$;

-- Raises PY002 if an agent has claimed the conversation, or was asked to. Runs in the transaction that stores the
-- answer, which holds the conversation's row lock, so nobody can claim it before the commit.
create or replace function require_nobody_took_over(asked_conversation text) returns boolean language plpgsql as $$
begin
  if exists (select from conversation where id = asked_conversation and status || '' in ('claimed', 'escalated')) then
    raise exception 'a person took the conversation over' using errcode = 'PY002';
  end if;
  return true;
end
$$;

-- Limits a process's time to the database's. Lists of conversations, and the messages, notes and changes of one, are
-- sorted by times that processes send; a process with a fast clock would put what is its own on top and break paging. One second is tolerated, the longest delay
-- between a process reading its clock and the statement. `statement_timestamp` gives all rows of a statement the same
-- limit.
create or replace function reached(asked timestamptz) returns timestamptz language sql stable as $$
  select case when asked > statement_timestamp() + interval '1 second' then statement_timestamp() else asked end
$$;

-- `updated_at` never goes back.
create or replace function bound_conversation_times() returns trigger language plpgsql as $$
begin
  new.last_message_at := reached(new.last_message_at);
  new.started_at := reached(new.started_at);
  new.updated_at := greatest(new.updated_at, new.last_message_at);
  return new;
end
$$;

create or replace function bound_message_time() returns trigger language plpgsql as $$
begin
  new.created_at := reached(new.created_at);
  return new;
end
$$;

create or replace function bound_entry_time() returns trigger language plpgsql as $$
begin
  new.at := reached(new.at);
  return new;
end
$$;

-- Moves `updated_at` of a conversation forward. Runs in a transaction that has locked the conversation, or changes
-- nothing else of it.
create or replace function note_update(asked_conversation text, asked_workspace text, asked_at timestamptz) returns void
language sql as $$
  update conversation set updated_at = reached(asked_at)
  where id = asked_conversation and workspace_id = asked_workspace and updated_at < reached(asked_at)
$$;

create or replace function note_change() returns trigger language plpgsql as $$
begin
  perform note_update(new.conversation_id, new.workspace_id, new.at);
  return null;
end
$$;

create or replace function note_opinion() returns trigger language plpgsql as $$
begin
  perform note_update(new.conversation_id, new.workspace_id, new.feedback_at);
  return null;
end
$$;

-- Removes the copies of a deleted conversation's personal data that no foreign key reaches. Webhook deliveries are
-- removed by their foreign key.
create or replace function erase_copies_of_conversation() returns trigger
language plpgsql
as $$
begin
  -- The key stays claimed: a retry must not create the deleted conversation again.
  update idempotent_request set body = null where conversation_id = old.id;
  -- Tags are free text, and an escalation's reason can quote the visitor.
  update audit_entry set details = case when action = 'tags_changed' then '{}' else details - 'reason' end
  where workspace_id = old.workspace_id and conversation_id = old.id
    and (details ? 'reason' or action = 'tags_changed');
  update visitor set name = null, email = null
  where id = old.session_id and workspace_id = old.workspace_id and old.channel in ('widget', 'hosted')
    and not exists (
      select from conversation
      where session_id = old.session_id and channel in ('widget', 'hosted') and id <> old.id
    );
  -- Events are kept for two days, to recognise deliveries that a platform repeats: their ids stay.
  if old.last_message_at > now() - interval '3 days' then
    update inbound_event set native = 'null'
    from lane
    where lane.conversation_id = old.id
      and inbound_event.channel_id = lane.channel_id and inbound_event.lane = lane.lane
      and inbound_event.handled_at is not null;
  end if;
  return old;
end
$$;

-- Returns hashes of all parts of three characters of a text, whatever their case. The workspace's id is hashed with them,
-- so that each workspace has posting lists of its own in the index.
create or replace function customer_parts(workspace text, customer text) returns integer[]
language sql immutable parallel safe as $$
  select array(
    select distinct hashtext(workspace || ' ' || substr(lower(customer), start, 3))
    from generate_series(1, length(lower(customer)) - 2) as start
  );
$$;

-- Returns the stems of a folded word in languages other than English, in a fixed order; null where it has none.
create or replace function word_stems(word text) returns text[]
language sql immutable parallel safe as $$
  select array[
    (ts_lexize('german_stem', word))[1], (ts_lexize('french_stem', word))[1], (ts_lexize('spanish_stem', word))[1],
    (ts_lexize('italian_stem', word))[1], (ts_lexize('portuguese_stem', word))[1], (ts_lexize('dutch_stem', word))[1]
  ];
$$;

-- Returns the words of a workspace that begin with a folded word or share a stem with it: the shortest 100.
create or replace function similar_words(workspace text, asked text) returns table (word text, term integer)
language sql stable as $$
  select word, term
  from search_word
  where workspace_id = workspace
    -- A stem has at least half of the letters, so that few words are compared.
    and folded >= left(asked, greatest(3, length(asked) / 2))
    and folded < left(asked, greatest(3, length(asked) / 2)) || chr(1114111)
    and (starts_with(folded, asked) or exists (
      select from unnest(word_stems(folded), word_stems(asked)) as stem (one, other)
      where one = other and length(one) >= 3
    ))
  order by length(folded), folded, word
  limit 100;
$$;

-- Keeps the parts of a conversation's customer.
create or replace function note_customer() returns trigger language plpgsql as $$
declare
  customer text := concat_ws(' ', new.customer_name, new.customer_email, new.customer_phone);
begin
  if tg_op = 'UPDATE' and concat_ws(' ', old.customer_name, old.customer_email, old.customer_phone) = customer then
    return null;
  end if;
  if customer = '' then
    delete from customer_search where conversation_id = new.id;
  else
    insert into customer_search (conversation_id, parts)
    values (new.id, customer_parts(new.workspace_id, customer))
    on conflict (conversation_id) do update set parts = excluded.parts;
  end if;
  return null;
end
$$;
