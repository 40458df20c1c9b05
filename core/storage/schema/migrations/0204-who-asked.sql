-- Who asked, as the integrator said it.
alter table conversation
  add column stated_user_id text,
  add column metadata jsonb;

-- step: online
create index concurrently if not exists conversation_user
  on conversation (workspace_id, coalesce(customer_user_id, stated_user_id), last_message_at desc, id desc)
  where coalesce(customer_user_id, stated_user_id) is not null;
create index concurrently if not exists conversation_metadata
  on conversation using gin (metadata jsonb_path_ops) where metadata is not null;
