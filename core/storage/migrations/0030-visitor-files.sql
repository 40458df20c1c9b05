-- What visitors of a widget or a page of ours send along: no platform keeps it for us.
create table visitor_file (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  visitor_id text not null references visitor (id) on delete cascade,
  -- Where it was sent; null until then.
  conversation_id text references conversation (id) on delete cascade,
  name text not null,
  content_type text not null,
  size integer not null,
  bytes bytea not null,
  created_at timestamptz not null
);
-- Pictures and the like are compressed already.
alter table visitor_file alter column bytes set storage external;
create index visitor_file_workspace on visitor_file (workspace_id) include (size);
create index visitor_file_visitor on visitor_file (visitor_id, created_at);
create index visitor_file_conversation on visitor_file (conversation_id) where conversation_id is not null;
create index visitor_file_unsent on visitor_file (created_at) where conversation_id is null;

-- For what is stored with a message: they belong to its conversation from then on.
create function send_visitor_files(sent_conversation text, sent_visitor text, sent text[]) returns boolean language plpgsql as $$
begin
  update visitor_file set conversation_id = sent_conversation
  where id = any (sent) and visitor_id = sent_visitor and conversation_id is null;
  return true;
end
$$;
