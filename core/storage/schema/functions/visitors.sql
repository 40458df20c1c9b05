-- Visitors of widgets and hosted pages.

-- Attaches uploaded files to the conversation in which the visitor sends them. Files of other visitors, and files that
-- are attached already, stay as they are.
create or replace function send_visitor_files(sent_conversation text, sent_visitor text, sent text[]) returns boolean
language plpgsql
as $$
begin
  update visitor_file set conversation_id = sent_conversation
  where id = any (sent) and visitor_id = sent_visitor and conversation_id is null;
  return true;
end
$$;

-- Sets the widget or page of a new conversation, which outlives its visitor.
create or replace function note_visitor_channel() returns trigger language plpgsql as $$
begin
  select channel_id into new.channel_id from visitor
  where id = new.session_id and workspace_id = new.workspace_id;
  return new;
end
$$;

-- Notifies the servers that hold open connections of visitors.
create or replace function tell_visitor_of_reply() returns trigger language plpgsql as $$
begin
  perform pg_notify('visitor_news', session_id) from conversation
  where id = new.conversation_id and channel in ('widget', 'hosted') and session_id is not null;
  return null;
end
$$;

create or replace function tell_visitor_of_status() returns trigger language plpgsql as $$
begin
  perform pg_notify('visitor_news', new.session_id);
  return null;
end
$$;
