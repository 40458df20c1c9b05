-- Conversations, their messages, notes and audit log.

create table conversation (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  channel text not null,
  status text not null default 'open'
    check (status in ('open', 'claimed', 'escalated', 'snoozed', 'resolved', 'archived')),
  -- The lane or the visitor that it belongs to.
  session_id text,
  started_at timestamptz not null,
  last_message_at timestamptz not null,
  resolved_at timestamptz,
  message_count integer not null default 0,
  customer_email text,
  customer_name text,
  customer_phone text,
  tags text[] not null default '{}',
  priority text not null default 'normal' check (priority in ('low', 'normal', 'high', 'urgent')),
  snooze_until timestamptz,
  -- While escalated or claimed: the visitor's first message without an agent's reply (null if there is none), and the
  -- start of this handover.
  unanswered_since timestamptz,
  handover_since timestamptz,
  -- The integrator's id of a visitor with a verified identity. From then on no other visitor may write here.
  customer_user_id text,
  -- The worst service level that webhooks were sent.
  sla_told text check (sla_told in ('at_risk', 'breached')),
  -- A skill's question to the visitor: {"skill", "state", "messages"}.
  awaited jsonb,
  -- Position of the first remembered message: a conversation that reopens after a resolution starts its memory anew.
  memory_from integer not null default 0,
  -- Summary of the messages before position `summary_until`.
  summary text,
  summary_until integer not null default 0,
  -- The last message, audit entry (notes have one) or feedback, kept by triggers; never goes back. Integrators with a
  -- copy of the conversation poll for it, which reads one range of an index.
  updated_at timestamptz not null,
  -- Whether the integrator signed for the address or the platform vouches for it.
  customer_email_verified boolean not null default false,
  -- Of widgets and hosted pages only, set by the trigger note_visitor_channel. Other channels are named by
  -- `session_id`.
  channel_id text references channel (id) on delete set null,
  -- The person whose turn it is, and since when.
  assignee_id text references person (id) on delete set null,
  assigned_at timestamptz,
  -- Of the visitor's last message; -1 if there is none.
  visitor_position integer not null default -1,
  -- The person who assigned it; null: a rule, a key or the operator. No reference: it may outlive the person.
  assigned_by text,
  -- When an answer last began with the sentence that a machine answers; null again after a person had the conversation.
  disclosed_at timestamptz,
  -- The integrator's id of a visitor as the request stated it, without a proof. It opens nothing.
  stated_user_id text,
  -- What integrators and widgets sent with the visitor's messages, merged; at most 16 KB. Files are not part of it.
  metadata jsonb
);
create index conversation_latest on conversation (workspace_id, last_message_at desc, id desc);
create index conversation_started on conversation (workspace_id, started_at);
create index conversation_channel on conversation (workspace_id, channel, last_message_at desc, id desc);
-- Most conversations are open, and are found among the latest.
create index conversation_status on conversation (workspace_id, status, last_message_at desc, id desc)
  where status <> 'open';
create index conversation_customer on conversation (workspace_id, lower(customer_email), last_message_at desc, id desc)
  where customer_email is not null;
create index conversation_user
  on conversation (workspace_id, coalesce(customer_user_id, stated_user_id), last_message_at desc, id desc)
  where coalesce(customer_user_id, stated_user_id) is not null;
create index conversation_metadata on conversation using gin (metadata jsonb_path_ops) where metadata is not null;
create index conversation_tags on conversation using gin (tags);
create index conversation_handover on conversation (workspace_id, handover_since) where handover_since is not null;
create index conversation_snoozed on conversation (snooze_until) where status = 'snoozed';
create index conversation_visitor on conversation (session_id, last_message_at desc)
  where channel in ('widget', 'hosted');
-- All conversations of a lane, also those that ended.
create index conversation_session on conversation (workspace_id, session_id) where session_id is not null;
create index conversation_updated on conversation (workspace_id, updated_at, id);
create index conversation_channel_id on conversation (channel_id) where channel_id is not null;
create index conversation_assignee on conversation (assignee_id, workspace_id, last_message_at desc, id desc)
  where assignee_id is not null;
-- Of everybody, the latest: digests look for those that are not seen.
create index conversation_assigned on conversation (assigned_at)
  where assignee_id is not null and status not in ('resolved', 'archived');
-- The open ones of an inbox in its order: most of a workspace's conversations can be resolved.
create index conversation_active on conversation (workspace_id, last_message_at desc, id desc)
  where status in ('open', 'claimed', 'escalated');
-- Those that concern people, and can be unread.
create index conversation_attended on conversation (workspace_id, last_message_at desc, id desc)
  include (visitor_position)
  where (handover_since is not null or assignee_id is not null) and status not in ('resolved', 'archived');
-- Few have another priority than the usual one.
create index conversation_priority on conversation (workspace_id, priority, last_message_at desc, id desc)
  where priority <> 'normal';

-- The parts of three characters of the customer's name, address and number (customer_parts), kept by a trigger. A table
-- of its own, because each message updates its conversation, and would add all parts to the index again.
create table customer_search (
  conversation_id text primary key references conversation (id) on delete cascade,
  parts integer[] not null
);
create index customer_search_parts on customer_search using gin (parts);

create table message (
  id text primary key,
  conversation_id text not null references conversation (id) on delete cascade,
  workspace_id text not null,
  -- Order within the conversation: a question and its answer are stored at the same instant.
  position integer not null,
  role text not null check (role in ('user', 'assistant', 'agent')),
  content text not null,
  created_at timestamptz not null,
  sources jsonb,
  tokens_used integer,
  confidence text,
  -- The calibrated score of the best passage, so that an operator can see the distribution of scores.
  score real,
  skills_fired text[],
  latency_ms integer,
  metadata jsonb,
  -- Hashes of the words that find the message. The workspace's id is hashed with them, so that each workspace has
  -- posting lists of its own in the index.
  terms integer[],
  -- Why an answer is incomplete.
  ended text check (ended in ('cancelled', 'timeout')),
  -- The agent who wrote it.
  author text,
  -- The transaction that stored it. A client that pages through conversations continues in the order of its first page,
  -- whatever was stored since and whatever the clocks of other servers show.
  stored_in bigint not null default (pg_current_xact_id()::text::bigint),
  -- The visitor's opinion of an answer, their comment, and when they last gave or withdrew it.
  feedback text check (feedback in ('up', 'down')),
  feedback_comment text,
  feedback_at timestamptz,
  -- The visitor edited or deleted it on the platform. A deleted message has no content.
  edited_at timestamptz,
  deleted_at timestamptz,
  -- When webhooks were sent that it will not be delivered.
  failure_told_at timestamptz,
  -- The Idempotency-Key of an agent's reply: the same one again stores nothing.
  request_key text,
  -- Of the messages that are about a rating, which are neither questions nor answers: rating_question and rating_thanks
  -- of the bot, rating of the visitor.
  purpose text,
  -- The person who was signed in when they wrote it, also after they are removed. Null: the author is as stated.
  person_id text,
  -- Of an answer: how it was decided. Null for canned replies and after the visitor edits or deletes an earlier message.
  decision jsonb,
  -- Of an answer: which sentence rests on which passage.
  citations jsonb,
  -- Of an answer: as the answer, as what may be it, or as the fallback. Null for answers stored before 0111.
  tier text check (tier in ('answer', 'maybe', 'none')),
  -- The calibrated probability that a quoted answer is right.
  probability real,
  -- Whether a language model wrote it, and whether it quotes documents.
  ai_generated boolean,
  quoted boolean,
  -- The sentence that answers, for channels without room for more.
  lead text,
  -- Of an answer: how it was made, step by step (core/contract/trace/stored-trace.ts). Null when its days are over.
  trace jsonb,
  unique (conversation_id, position)
);
create index message_terms on message using gin (terms);
create index message_feedback on message (workspace_id, feedback, conversation_id) where feedback is not null;
-- For the counts of answers by document.
create index message_answered on message (created_at) where confidence in ('high', 'medium');
create index message_rated on message (feedback_at) where feedback_at is not null;
create index message_of_person on message (created_at) where role = 'agent';
create unique index message_request on message (conversation_id, request_key) where request_key is not null;
create index message_answer on message (workspace_id, created_at desc, id desc)
  where role = 'assistant' and purpose is null;
create index message_traced on message (workspace_id, created_at) where trace is not null;
create index message_low on message (workspace_id, created_at) include (conversation_id) where confidence = 'low';
create index message_escalated on message (workspace_id, created_at) where 'escalate_to_human' = any(skills_fired);

-- A person's judgement of an answer.
create table answer_review (
  message_id text primary key references message (id) on delete cascade,
  workspace_id text not null,
  verdict text not null check (verdict in ('right', 'wrong', 'not_ours')),
  -- The name that the person had, and their id. Null: the operator's token.
  reviewer text not null,
  person_id text,
  at timestamptz not null
);

-- An agent's note, invisible to the visitor.
create table note (
  id text primary key,
  conversation_id text not null references conversation (id) on delete cascade,
  workspace_id text not null,
  content text not null,
  author text not null,
  created_at timestamptz not null,
  -- The person who may change it. Null for notes of API keys, skills and the operator.
  person_id text references person (id) on delete set null,
  -- Ids of people.
  mentions text[] not null default '{}',
  edited_at timestamptz
);
create index note_conversation on note (conversation_id, created_at, id);
create index note_person on note (person_id) where person_id is not null;
-- For the search of the inbox.
create index note_workspace on note (workspace_id);

-- The audit log. It outlives conversations, hence no foreign key to them. It names changed fields, not their values.
create table audit_entry (
  id text primary key,
  -- Null for an entry about an owner and all their workspaces, such as the sign-in of a member.
  workspace_id text references workspace (id) on delete cascade,
  -- Null for an entry about the whole workspace.
  conversation_id text,
  action text not null,
  actor text not null,
  at timestamptz not null,
  details jsonb not null default '{}',
  owner_id text references owner (id) on delete cascade,
  -- The id of the person; null for API keys, processes and the operator's token. Names are free, and people change them.
  actor_id text,
  constraint audit_entry_scope check (num_nonnulls(workspace_id, owner_id) = 1)
);
-- Begins with the workspace, so that deleting a workspace finds its entries by an index.
create index audit_entry_conversation on audit_entry (workspace_id, conversation_id, at, id);
create index audit_entry_workspace on audit_entry (workspace_id, at desc, id desc) where conversation_id is null;
create index audit_entry_latest on audit_entry (workspace_id, at desc, id desc);
create index audit_entry_owner on audit_entry (owner_id, at desc, id desc) where owner_id is not null;

-- A conversation or snippet that had a tag before it was removed from all of them, and where among its tags.
create table removed_tag (
  workspace_id text not null,
  tag text not null,
  conversation_id text references conversation (id) on delete cascade,
  snippet_id text references snippet (id) on delete cascade,
  position integer not null,
  restorable_until timestamptz not null,
  constraint removed_tag_place check (num_nonnulls(conversation_id, snippet_id) = 1)
);
create index removed_tag_name on removed_tag (workspace_id, tag);
create index removed_tag_conversation on removed_tag (conversation_id) where conversation_id is not null;
create index removed_tag_snippet on removed_tag (snippet_id) where snippet_id is not null;
create index removed_tag_restorable on removed_tag (restorable_until);
