alter table outbound_part
  -- When its status became one that nothing but a report of the platform, or a retry, changes again.
  add column status_at timestamptz;

alter table message
  -- When webhooks were told that it will not be sent.
  add column failure_told_at timestamptz;

create function date_part_status() returns trigger
language plpgsql
as $$
begin
  new.status_at := now();
  return new;
end
$$;
create trigger date_part_status before update of status on outbound_part
  for each row
  when (old.status is distinct from new.status and new.status in ('delivered', 'read', 'failed', 'dead', 'withheld'))
  execute function date_part_status();

-- A webhook for '*' is told of every event, also of kinds that are added later.
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
    -- Numbered by microseconds: deliveries are listed in the order of their events.
    select 'evt_' || lpad(to_hex(floor(extract(epoch from clock_timestamp()) * 1000000)::bigint), 14, '0')
                  || right(replace(gen_random_uuid()::text, '-', ''), 18),
           webhook.id, asked_workspace, asked_conversation, asked_event, asked_data, asked_at, asked_at
    from webhook
    where webhook.workspace_id = asked_workspace and webhook.disabled_at is null
      and (asked_event = any(webhook.events) or '*' = any(webhook.events))
    returning id
  )
  select string_agg(id, ',') into kept from added;
  if kept is not null then
    perform set_config('parley.told', concat_ws(',', nullif(current_setting('parley.told', true), ''), kept), true);
  end if;
end
$$;

-- Adds to message.created what is stored with an answer, and names the reasons for an incomplete one as the API does.
create or replace function tell_of_message() returns trigger
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
    'score', round(new.score::numeric, 4), 'latency_ms', new.latency_ms, 'skills_fired', new.skills_fired,
    'author', new.author, 'ended', case new.ended when 'timeout' then 'timed_out' else new.ended end));
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

-- Tells webhooks once of a message that will not be sent: as soon as one part failed, or when all of it is withheld. Parts
-- that are withheld because a template stands for them do not count, as the template is still to be sent.
create function tell_of_failed_message() returns trigger
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
  where id = new.message_id and failure_told_at is null
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
create trigger tell_of_failed_message after update of status on outbound_part
  for each row
  when (old.status is distinct from new.status and new.status in ('failed', 'dead', 'withheld'))
  execute function tell_of_failed_message();
