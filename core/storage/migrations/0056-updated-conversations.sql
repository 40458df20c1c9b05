-- When something last happened in a conversation that integrators with a copy of it want to hear of: a message, an entry of
-- the audit log (notes have one), an opinion. Never goes back. Whoever lists what is new reads one range of an index.
alter table conversation add column updated_at timestamptz;

with changed as (
  select workspace_id, conversation_id, max(at) as at from audit_entry group by workspace_id, conversation_id
), judged as (
  select workspace_id, conversation_id, max(feedback_at) as at from message
  where feedback_at is not null group by workspace_id, conversation_id
)
update conversation
set updated_at = greatest(conversation.last_message_at, changed.at, judged.at)
from conversation as same
left join changed on changed.conversation_id = same.id and changed.workspace_id = same.workspace_id
left join judged on judged.conversation_id = same.id and judged.workspace_id = same.workspace_id
where same.id = conversation.id;

alter table conversation alter column updated_at set not null;
create index conversation_updated on conversation (workspace_id, updated_at, id);

create or replace function bound_conversation_times() returns trigger language plpgsql as $$
begin
  new.last_message_at := reached(new.last_message_at);
  new.started_at := reached(new.started_at);
  new.updated_at := greatest(new.updated_at, new.last_message_at);
  return new;
end
$$;

-- In the transaction that changes something else of the conversation, or has locked it.
create function note_update(asked_conversation text, asked_workspace text, asked_at timestamptz) returns void
language sql as $$
  update conversation set updated_at = reached(asked_at)
  where id = asked_conversation and workspace_id = asked_workspace and updated_at < reached(asked_at)
$$;

create function note_change() returns trigger language plpgsql as $$
begin
  perform note_update(new.conversation_id, new.workspace_id, new.at);
  return null;
end
$$;

create trigger note_change after insert on audit_entry for each row execute function note_change();

create function note_opinion() returns trigger language plpgsql as $$
begin
  perform note_update(new.conversation_id, new.workspace_id, new.feedback_at);
  return null;
end
$$;

create trigger note_opinion after update of feedback_at on message for each row execute function note_opinion();
