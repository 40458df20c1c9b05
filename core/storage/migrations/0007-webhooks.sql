create table webhook (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  url text not null,
  events text[] not null,
  -- Needed in clear to sign, so it is encrypted, not hashed.
  secret_encrypted text not null,
  created_at timestamptz not null,
  -- While it is, nothing is sent and nothing is kept to be sent.
  disabled_at timestamptz,
  disabled_reason text
);
create index webhook_workspace on webhook (workspace_id, created_at desc, id desc);

-- What a webhook is told of, written in the transaction of what it tells of: neither is ever there without the other.
create table webhook_delivery (
  id text primary key,
  webhook_id text not null references webhook (id) on delete cascade,
  workspace_id text not null,
  -- What was said in a conversation goes with it.
  conversation_id text references conversation (id) on delete cascade,
  event text not null,
  data json not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  created_at timestamptz not null,
  -- When its tries began: when it was made, or was asked for again.
  queued_at timestamptz not null,
  -- Null: at once. While it is being tried, when that try counts as lost.
  next_attempt_at timestamptz,
  last_status integer,
  last_error text,
  delivered_at timestamptz
);
create index webhook_delivery_latest on webhook_delivery (webhook_id, created_at desc, id desc);
create index webhook_delivery_due on webhook_delivery (next_attempt_at nulls first) where status = 'pending';
create index webhook_delivery_done on webhook_delivery (queued_at) where status <> 'pending';
create index webhook_delivery_conversation on webhook_delivery (conversation_id) where conversation_id is not null;

alter table conversation
  -- The worst state of its service level that webhooks were told of.
  add column sla_told text check (sla_told in ('at_risk', 'breached'));

-- Keeps an event for every webhook that wants it, and remembers until the end of the transaction what it kept.
create function tell_webhooks(
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
    -- In the order of the microseconds, so that what is told of one after the other is also listed so.
    select 'evt_' || lpad(to_hex(floor(extract(epoch from clock_timestamp()) * 1000000)::bigint), 14, '0')
                  || right(replace(gen_random_uuid()::text, '-', ''), 18),
           webhook.id, asked_workspace, asked_conversation, asked_event, asked_data, asked_at, asked_at
    from webhook
    where webhook.workspace_id = asked_workspace and webhook.disabled_at is null
      and asked_event = any(webhook.events)
    returning id
  )
  select string_agg(id, ',') into kept from added;
  if kept is not null then
    perform set_config('parley.told', concat_ws(',', nullif(current_setting('parley.told', true), ''), kept), true);
  end if;
end
$$;

-- The deliveries that this transaction has kept so far.
create function told_deliveries() returns text[]
language sql volatile
as $$ select coalesce(string_to_array(nullif(current_setting('parley.told', true), ''), ','), '{}') $$;

-- What follows stands behind every message: where no webhook listens it is one look into an index.
create function tell_of_conversation() returns trigger
language plpgsql
as $$
begin
  if not exists (select from webhook where workspace_id = new.workspace_id and disabled_at is null) then
    return null;
  end if;
  perform tell_webhooks(new.workspace_id, new.id, 'conversation.created', new.started_at, json_build_object(
    'workspace_id', new.workspace_id, 'conversation_id', new.id, 'channel', new.channel, 'status', new.status,
    'customer', json_build_object('email', new.customer_email, 'name', new.customer_name,
                                  'phone', new.customer_phone)));
  return null;
end
$$;
create trigger tell_of_conversation after insert on conversation
  for each row execute function tell_of_conversation();

create function tell_of_message() returns trigger
language plpgsql
as $$
declare
  spoken_channel text;
  asked text;
begin
  if not exists (select from webhook where workspace_id = new.workspace_id and disabled_at is null) then
    return null;
  end if;
  select channel into spoken_channel from conversation where id = new.conversation_id;
  perform tell_webhooks(new.workspace_id, new.conversation_id, 'message.created', new.created_at, json_build_object(
    'workspace_id', new.workspace_id, 'conversation_id', new.conversation_id, 'channel', spoken_channel,
    'message_id', new.id, 'role', new.role, 'content', new.content, 'confidence', new.confidence,
    'author', new.author, 'ended', new.ended));
  if new.role = 'assistant' and new.confidence = 'low' then
    select content into asked from message
    where conversation_id = new.conversation_id and position = new.position - 1 and role = 'user';
    perform tell_webhooks(new.workspace_id, new.conversation_id, 'answer.low_confidence', new.created_at,
      json_build_object(
        'workspace_id', new.workspace_id, 'conversation_id', new.conversation_id, 'channel', spoken_channel,
        'message_id', new.id, 'question', asked, 'answer', new.content, 'confidence', new.confidence));
  end if;
  return null;
end
$$;
create trigger tell_of_message after insert on message
  for each row execute function tell_of_message();

-- Every change of a status is in the audit log, whoever makes it.
create function tell_of_status() returns trigger
language plpgsql
as $$
begin
  if not exists (select from webhook where workspace_id = new.workspace_id and disabled_at is null) then
    return null;
  end if;
  perform tell_webhooks(new.workspace_id, conversation.id, 'conversation.status_changed', new.at, json_build_object(
    'workspace_id', new.workspace_id, 'conversation_id', conversation.id, 'channel', conversation.channel,
    'from', new.details ->> 'from', 'to', new.details ->> 'to', 'actor', new.actor))
  from conversation where conversation.id = new.conversation_id;
  return null;
end
$$;
create trigger tell_of_status after insert on audit_entry
  for each row when (new.action = 'status_changed') execute function tell_of_status();

create function tell_of_document() returns trigger
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
create trigger tell_of_document after update of status on document
  for each row
  when (new.status in ('indexed', 'failed')
        and (old.status <> new.status or old.wanted_revision <> new.wanted_revision))
  execute function tell_of_document();
