-- News for agents who watch a workspace in the dashboard: what changed, never its contents.

-- Notifies the servers whose agents watch the workspace, and costs one look at an index if there are none. The notice is
-- the workspace, a kind, an id and a change, with spaces between them. One notice reaches all servers.
create or replace function tell_agents(asked_workspace text, kind text, id text, change text) returns void
language sql as $$
  select pg_notify('agent_news', asked_workspace || ' ' || kind || ' ' || id || ' ' || change)
  where exists (select from agent_listener where workspace_id = asked_workspace and until > statement_timestamp())
$$;

-- Each message, note, rating and change of a conversation moves a column of its row, so this trigger hears of all. It
-- looks for listeners first, because messages are stored more often than anything else.
create or replace function tell_agents_of_conversation() returns trigger language plpgsql as $$
begin
  if not exists (
    select from agent_listener
    where workspace_id = coalesce(new.workspace_id, old.workspace_id) and until > statement_timestamp()
  ) then
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform tell_agents(old.workspace_id, 'conversation', old.id, 'deleted');
  elsif tg_op = 'INSERT' then
    perform tell_agents(new.workspace_id, 'conversation', new.id, 'message');
  else
    perform tell_agents(new.workspace_id, 'conversation', new.id, case
      when old.message_count <> new.message_count then 'message'
      when old.status <> new.status or old.snooze_until is distinct from new.snooze_until then 'status'
      when old.tags <> new.tags then 'tags'
      when old.priority <> new.priority then 'priority'
      else 'other'
    end);
  end if;
  return null;
end
$$;

create or replace function tell_agents_of_part() returns trigger language plpgsql as $$
begin
  perform tell_agents(new.workspace_id, 'conversation', new.conversation_id, 'delivery');
  if new.status in ('failed', 'dead') then
    perform tell_agents(new.workspace_id, 'channel', new.channel_id, 'failure');
  end if;
  return null;
end
$$;

create or replace function tell_agents_of_event() returns trigger language plpgsql as $$
begin
  perform tell_agents(new.workspace_id, 'channel', new.channel_id, 'failure');
  return null;
end
$$;

-- Of a document the change is its status.
create or replace function tell_agents_of_document() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform tell_agents(old.workspace_id, 'document', old.id, 'deleted');
  else
    perform tell_agents(new.workspace_id, 'document', new.id, new.status);
  end if;
  return null;
end
$$;

create or replace function tell_agents_of_channel() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform tell_agents(old.workspace_id, 'channel', old.id, 'deleted');
  else
    perform tell_agents(new.workspace_id, 'channel', new.id, new.status);
  end if;
  return null;
end
$$;

create or replace function tell_agents_of_webhook() returns trigger language plpgsql as $$
begin
  perform tell_agents(new.workspace_id, 'webhook', new.webhook_id, new.status);
  return null;
end
$$;

-- Settings, keys, people and the like: their changes are in the audit log.
create or replace function tell_agents_of_entry() returns trigger language plpgsql as $$
begin
  perform tell_agents(new.workspace_id, 'setting', '-', new.action);
  return null;
end
$$;

-- A session ended, or a role was changed or taken away. Rare, and the servers check each stream of the person.
create or replace function tell_of_access() returns trigger language plpgsql as $$
begin
  perform pg_notify('agent_news', old.person_id || ' access - -');
  return null;
end
$$;
