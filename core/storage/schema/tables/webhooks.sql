-- Outgoing webhooks.

create table webhook (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  url text not null,
  events text[] not null,
  -- Encrypted, not hashed: signing needs the plain secret.
  secret_encrypted text not null,
  created_at timestamptz not null,
  -- A disabled webhook is sent nothing, and no events are stored for it.
  disabled_at timestamptz,
  disabled_reason text,
  previous_secret_encrypted text,
  previous_secret_until timestamptz,
  -- How it was before a deletion that can be taken back until then.
  undo jsonb,
  restorable_until timestamptz
);
create index webhook_workspace on webhook (workspace_id, created_at desc, id desc);
create index webhook_restorable on webhook (restorable_until) where restorable_until is not null;
create index webhook_previous_secret on webhook (previous_secret_until) where previous_secret_until is not null;

-- An event for a webhook, written in the transaction of the change that it reports.
create table webhook_delivery (
  id text primary key,
  webhook_id text not null references webhook (id) on delete cascade,
  workspace_id text not null,
  -- An event with a conversation's content is deleted with the conversation.
  conversation_id text references conversation (id) on delete cascade,
  event text not null,
  data json not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  created_at timestamptz not null,
  -- When its attempts began: at its creation, or when an operator retried it.
  queued_at timestamptz not null,
  -- Null: due now. During an attempt: when that attempt counts as lost.
  next_attempt_at timestamptz,
  last_status integer,
  last_error text,
  delivered_at timestamptz
);
create index webhook_delivery_latest on webhook_delivery (webhook_id, created_at desc, id desc);
create index webhook_delivery_due on webhook_delivery (next_attempt_at nulls first) where status = 'pending';
create index webhook_delivery_done on webhook_delivery (queued_at) where status <> 'pending';
create index webhook_delivery_conversation on webhook_delivery (conversation_id) where conversation_id is not null;
