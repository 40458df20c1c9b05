alter table conversation
  -- What a skill asked the visitor for: {"skill", "state", "messages"}.
  add column awaited jsonb;

-- As before, and of a conversation that goes to a person also that.
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
      'customer', json_build_object('email', changed.customer_email, 'name', changed.customer_name,
                                    'phone', changed.customer_phone)));
  end if;
  return null;
end
$$;

create function tell_of_lead() returns trigger
language plpgsql
as $$
begin
  if not exists (select from webhook where workspace_id = new.workspace_id and disabled_at is null) then
    return null;
  end if;
  perform tell_webhooks(new.workspace_id, conversation.id, 'lead.captured', new.at, json_build_object(
    'workspace_id', new.workspace_id, 'conversation_id', conversation.id, 'channel', conversation.channel,
    'customer', new.details -> 'to',
    'consent', json_build_object('words', new.details ->> 'consent', 'at', new.at)))
  from conversation where conversation.id = new.conversation_id;
  return null;
end
$$;
create trigger tell_of_lead after insert on audit_entry
  for each row when (new.action = 'lead_captured') execute function tell_of_lead();
