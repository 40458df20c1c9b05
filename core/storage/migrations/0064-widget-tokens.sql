-- Each widget has a public token of its own; the workspace's still means its first one.
alter table channel
  add column public_token text,
  add column previous_public_token text,
  add column previous_public_token_until timestamptz;
update channel set public_token = 'pub_' || replace(gen_random_uuid()::text, '-', '') where channel = 'widget';
create unique index channel_public_token on channel (public_token) where public_token is not null;
create unique index channel_previous_public_token on channel (previous_public_token)
  where previous_public_token is not null;
create index channel_previous_public_token_until on channel (previous_public_token_until)
  where previous_public_token_until is not null;

-- Which widget or page a conversation came through; null of others, whose session names the channel. It outlives its
-- visitor.
alter table conversation add column channel_id text references channel (id) on delete set null;
update conversation set channel_id = visitor.channel_id
from visitor
where visitor.id = conversation.session_id and visitor.workspace_id = conversation.workspace_id
  and conversation.channel in ('widget', 'hosted');
create index conversation_channel_id on conversation (channel_id) where channel_id is not null;

create function note_visitor_channel() returns trigger language plpgsql as $$
begin
  select channel_id into new.channel_id from visitor
  where id = new.session_id and workspace_id = new.workspace_id;
  return new;
end
$$;
create trigger note_visitor_channel before insert on conversation
  for each row when (new.channel in ('widget', 'hosted') and new.session_id is not null)
  execute function note_visitor_channel();
