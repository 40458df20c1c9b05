-- Who writes to a widget or a page of ours. The sessions of conversations there are ids of visitors.
create table visitor (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  channel_id text not null references channel (id) on delete cascade,
  -- The integrator's own name for him, once that was proven: he is the same on every device then.
  user_id text,
  name text,
  email text,
  audience text[] not null default '{}',
  -- What people said until then was seen.
  read_at timestamptz not null,
  -- One question at a time: whose turn it is, and until when nobody else's.
  asking text,
  asking_until timestamptz,
  created_at timestamptz not null,
  unique (channel_id, user_id)
);
create index visitor_workspace on visitor (workspace_id);

create table visitor_session (
  -- Of the token that the browser keeps: whoever reads this table cannot speak for anybody.
  token_hash text primary key,
  visitor_id text not null references visitor (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index visitor_session_visitor on visitor_session (visitor_id);
create index visitor_session_expires on visitor_session (expires_at);

create index conversation_visitor on conversation (session_id, last_message_at desc)
  where channel in ('widget', 'hosted');

-- Pages are found by it.
create unique index channel_slug on channel ((settings ->> 'slug')) where settings ? 'slug';

-- Servers hear at once of what their visitors wait for.
create function tell_visitor_of_reply() returns trigger language plpgsql as $$
begin
  perform pg_notify('visitor_news', session_id) from conversation
  where id = new.conversation_id and channel in ('widget', 'hosted') and session_id is not null;
  return null;
end
$$;
create trigger visitor_reply after insert on message
  for each row when (new.role = 'agent') execute function tell_visitor_of_reply();

create function tell_visitor_of_status() returns trigger language plpgsql as $$
begin
  perform pg_notify('visitor_news', new.session_id);
  return null;
end
$$;
create trigger visitor_status after update of status on conversation
  for each row when (
    old.status is distinct from new.status and new.channel in ('widget', 'hosted') and new.session_id is not null
  )
  execute function tell_visitor_of_status();
