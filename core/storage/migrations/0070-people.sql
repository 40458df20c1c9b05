-- Personal data: audit entries name the fields that changed and not their values, and what is deleted leaves no copies.

-- The response of a repeatable request holds the answer. It is emptied with its conversation.
alter table idempotent_request add column conversation_id text;
update idempotent_request set conversation_id = body::jsonb ->> 'conversation_id' where body is not null;
create index idempotent_request_conversation on idempotent_request (conversation_id)
  where conversation_id is not null;

create or replace function complete_idempotent_request(
  asked_key text,
  asked_idempotency_key text,
  asked_claim text,
  asked_status integer,
  asked_body text
)
returns boolean
language plpgsql
as $$
begin
  update idempotent_request
  set status = asked_status, body = asked_body, conversation_id = asked_body::jsonb ->> 'conversation_id'
  where key_id = asked_key and idempotency_key = asked_idempotency_key and claim = asked_claim and status is null;
  if not found then raise exception 'the right to answer was given up' using errcode = 'PY003'; end if;
  return true;
end
$$;

-- The webhook event `lead.captured` carries the values. The application writes it beside the audit entry.
drop trigger tell_of_lead on audit_entry;
drop function tell_of_lead();

update audit_entry
set details = jsonb_build_object('fields', coalesce((
      select jsonb_agg(field order by field)
      from jsonb_object_keys(case when jsonb_typeof(details -> 'to') = 'object' then details -> 'to' else '{}' end) field
      where details -> 'from' -> field is distinct from details -> 'to' -> field
    ), '[]'))
where action in ('customer_changed', 'lead_captured');

-- An entry about a whole workspace names no conversation.
alter table audit_entry alter column conversation_id drop not null;
create index audit_entry_workspace on audit_entry (workspace_id, at desc, id desc) where conversation_id is null;

-- Removes the copies of a conversation that no foreign key reaches. Webhook deliveries go by their foreign key.
create function erase_copies_of_conversation() returns trigger
language plpgsql
as $$
begin
  -- The key stays taken: a retry must not begin the deleted conversation anew.
  update idempotent_request set body = null where conversation_id = old.id;
  -- Tags are free text, and the reason of an escalation can quote the visitor.
  update audit_entry set details = case when action = 'tags_changed' then '{}' else details - 'reason' end
  where workspace_id = old.workspace_id and conversation_id = old.id
    and (details ? 'reason' or action = 'tags_changed');
  update visitor set name = null, email = null
  where id = old.session_id and workspace_id = old.workspace_id and old.channel in ('widget', 'hosted')
    and not exists (
      select from conversation
      where session_id = old.session_id and channel in ('widget', 'hosted') and id <> old.id
    );
  -- Events are kept for two days, to recognise those that a platform sends again: their ids stay.
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
create trigger erase_copies_of_conversation before delete on conversation
  for each row execute function erase_copies_of_conversation();
