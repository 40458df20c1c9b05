alter table message
  -- The visitor changed it, or took it back, on his platform: then its text is gone.
  add column edited_at timestamptz,
  add column deleted_at timestamptz;

-- What was said in a lane, also in conversations that ended there.
create index conversation_session on conversation (workspace_id, session_id) where session_id is not null;
