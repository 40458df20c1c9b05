-- Webhook events, stored in the transaction of the change that they report: neither exists without the other. The
-- trigger functions run for every message, so each begins with one index lookup that ends it if no webhook is enabled.

-- Stores an event for every enabled webhook that subscribes to it ('*' subscribes to all, including kinds that are
-- added later), and remembers the deliveries until the end of the transaction, for `told_deliveries`.
create or replace function tell_webhooks(
  asked_workspace text,
  asked_conversation text,
  asked_event text,
  asked_at timestamptz,
  asked_data json
)
returns void
language plpgsql
as $$
declare
  kept text;
begin
  with added as (
    insert into webhook_delivery (id, webhook_id, workspace_id, conversation_id, event, data, created_at, queued_at)
    -- The id begins with the time in microseconds, so that deliveries sort in the order of their events.
    select 'evt_' || lpad(to_hex(floor(extract(epoch from clock_timestamp()) * 1000000)::bigint), 14, '0')
                  || right(replace(gen_random_uuid()::text, '-', ''), 18),
           webhook.id, asked_workspace, asked_conversation, asked_event,
           case when conversation.id is null then asked_data else json_merged(asked_data, who_asked(conversation)) end,
           asked_at, asked_at
    from webhook
    left join conversation on conversation.id = asked_conversation
    where webhook.workspace_id = asked_workspace and webhook.disabled_at is null
      and (asked_event = any(webhook.events) or '*' = any(webhook.events))
    -- Passes over a webhook that is deleted meanwhile: the change itself does not depend on it.
    for key share of webhook
    returning id
  )
  select string_agg(id, ',') into kept from added;
  if kept is not null then
    perform set_config('parley.told', concat_ws(',', nullif(current_setting('parley.told', true), ''), kept), true);
  end if;
end
$$;

-- Returns who asked in a conversation, as events carry it beside the customer.
create or replace function who_asked(told conversation) returns json
language sql immutable
as $$
  select json_build_object(
    'user_id', coalesce(told.customer_user_id, told.stated_user_id),
    'user_verified', told.customer_user_id is not null,
    'session_id', case when told.channel = 'api' then told.session_id end,
    'metadata', told.metadata)
$$;

-- Returns two objects as one, in the order of their fields, which jsonb would not keep. Neither is empty, and both are as
-- PostgreSQL or JSON.stringify writes them.
create or replace function json_merged(one json, other json) returns json
language sql immutable
as $$
  select (left(one::text, -1) || ',' || substr(other::text, 2))::json
$$;

-- Returns the ids of the deliveries that this transaction has stored so far. The caller queues them after the commit.
create or replace function told_deliveries() returns text[]
language sql volatile
as $$ select coalesce(string_to_array(nullif(current_setting('parley.told', true), ''), ','), '{}') $$;

-- Returns the customer of a conversation as webhooks carry it.
create or replace function customer_of(told conversation) returns json
language sql immutable
as $$
  select json_build_object(
    'email', told.customer_email,
    'email_verified', case when told.customer_email is not null then told.customer_email_verified end,
    'name', told.customer_name,
    'phone', told.customer_phone)
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

-- Sends message.created and, for an uncertain answer, answer.low_confidence with its question. Nothing is sent of the
-- bot's messages about a rating, which integrators would take for answers: conversation.rated tells of the rating.
create or replace function tell_of_message() returns trigger
language plpgsql
as $$
declare
  spoken_channel text;
  asked text;
begin
  if new.purpose is not null and new.role = 'assistant' then return null; end if;
  if not exists (select from webhook where workspace_id = new.workspace_id and disabled_at is null) then
    return null;
  end if;
  select channel into spoken_channel from conversation where id = new.conversation_id;
  perform tell_webhooks(new.workspace_id, new.conversation_id, 'message.created', new.created_at, json_build_object(
    'workspace_id', new.workspace_id, 'conversation_id', new.conversation_id, 'channel', spoken_channel,
    'message_id', new.id, 'role', new.role, 'content', new.content, 'confidence', new.confidence,
    'tier', new.tier, 'probability', round(new.probability::numeric, 4), 'ai_generated', new.ai_generated,
    'quoted', new.quoted, 'score', round(new.score::numeric, 4), 'latency_ms', new.latency_ms, 'skills_fired', new.skills_fired,
    'author', new.author, 'ended', case new.ended when 'timeout' then 'timed_out' else new.ended end,
    'attachments', case when new.role = 'agent' then (
      select json_agg(json_build_object('kind', file -> 'kind', 'name', file -> 'name',
                                        'content_type', file -> 'contentType', 'bytes', file -> 'bytes',
                                        'url', file -> 'url') order by place)
      from jsonb_array_elements(
        case when jsonb_typeof(new.metadata -> 'attachments') = 'array' then new.metadata -> 'attachments' else '[]' end
      ) with ordinality as given (file, place)
    ) end));
  if new.role = 'assistant' and new.confidence = 'low' then
    select content into asked from message
    where conversation_id = new.conversation_id and position = new.position - 1 and role = 'user';
    perform tell_webhooks(new.workspace_id, new.conversation_id, 'answer.low_confidence', new.created_at,
      json_build_object(
        'workspace_id', new.workspace_id, 'conversation_id', new.conversation_id, 'channel', spoken_channel,
        'message_id', new.id, 'question', asked, 'answer', new.content, 'confidence', new.confidence,
        'tier', new.tier, 'probability', round(new.probability::numeric, 4), 'ai_generated', new.ai_generated,
        'quoted', new.quoted));
  end if;
  return null;
end
$$;

-- Every change of status has an audit entry, whoever makes it. An escalation sends a second event.
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

create or replace function tell_of_rating() returns trigger
language plpgsql
as $$
begin
  if not exists (select from webhook where workspace_id = new.workspace_id and disabled_at is null) then
    return null;
  end if;
  perform tell_webhooks(new.workspace_id, conversation.id, 'conversation.rated', new.rated_at, json_build_object(
    'workspace_id', new.workspace_id, 'conversation_id', conversation.id, 'channel', conversation.channel,
    'score', new.score, 'comment', new.comment, 'assignee_id', conversation.assignee_id,
    'resolved_at', new.asked_at, 'resolved_by', new.person_id))
  from conversation where conversation.id = new.conversation_id;
  return null;
end
$$;

create or replace function tell_of_document() returns trigger
language plpgsql
as $$
begin
  if not exists (select from webhook where workspace_id = new.workspace_id and disabled_at is null) then
    return null;
  end if;
  perform tell_webhooks(new.workspace_id, null, 'document.' || new.status, now(), json_build_object(
    'workspace_id', new.workspace_id, 'document_id', new.id, 'title', new.title, 'url', new.url,
    'file_name', new.file_name, 'status', new.status, 'chunks', new.chunk_count,
    'failure', case when new.status = 'failed' then
                 json_build_object('code', new.failure_code, 'reason', new.failure_reason) end));
  return null;
end
$$;

create or replace function tell_of_feedback() returns trigger
language plpgsql
as $$
begin
  if not exists (select from webhook where workspace_id = new.workspace_id and disabled_at is null) then
    return null;
  end if;
  perform tell_webhooks(new.workspace_id, conversation.id, 'message.feedback', new.feedback_at, json_build_object(
    'workspace_id', new.workspace_id, 'conversation_id', conversation.id, 'channel', conversation.channel,
    'message_id', new.id, 'value', new.feedback, 'comment', new.feedback_comment))
  from conversation where conversation.id = new.conversation_id;
  return null;
end
$$;

-- Sends message.failed once for each message: as soon as one part fails, or when all parts are withheld. Parts that a
-- template replaces are withheld too, but do not count while the template is still to be sent.
create or replace function tell_of_failed_message() returns trigger
language plpgsql
as $$
declare
  failed message;
begin
  if not exists (select from webhook where workspace_id = new.workspace_id and disabled_at is null) then
    return null;
  end if;
  if new.status = 'withheld' and exists (
    select from outbound_part where message_id = new.message_id and status not in ('withheld', 'held')
  ) then
    return null;
  end if;
  update message set failure_told_at = now()
  where id = new.message_id and failure_told_at is null and (purpose is null or role <> 'assistant')
  returning * into failed;
  if not found then return null; end if;
  perform tell_webhooks(new.workspace_id, conversation.id, 'message.failed', new.status_at, json_build_object(
    'workspace_id', new.workspace_id, 'conversation_id', conversation.id, 'channel', conversation.channel,
    'message_id', failed.id, 'role', failed.role, 'content', failed.content, 'author', failed.author,
    'delivery', json_build_object(
      'status', case new.status when 'dead' then 'failed' else new.status end,
      'reason', new.failure, 'at', to_char(new.status_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))))
  from conversation where conversation.id = failed.conversation_id;
  return null;
end
$$;
