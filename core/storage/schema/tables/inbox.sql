-- Records of agents about conversations: read marks, drafts, files, views, availability and bulk actions.

-- A person has seen the messages up to a position.
create table conversation_seen (
  person_id text not null references person (id) on delete cascade,
  conversation_id text not null references conversation (id) on delete cascade,
  position integer not null,
  seen_at timestamptz not null,
  primary key (person_id, conversation_id)
);
create index conversation_seen_conversation on conversation_seen (conversation_id);

-- `updated_at` is the version of a draft.
create table conversation_draft (
  person_id text not null references person (id) on delete cascade,
  conversation_id text not null references conversation (id) on delete cascade,
  kind text not null check (kind in ('reply', 'note')),
  content text not null,
  updated_at timestamptz not null,
  -- What happens to the conversation with the reply: the actions of snippets.
  actions jsonb,
  -- The text of a device that did not know this version, with its actions and its time.
  other jsonb,
  primary key (person_id, conversation_id, kind)
);
create index conversation_draft_conversation on conversation_draft (conversation_id);

-- A note names a person, who has read it or not.
create table mention (
  note_id text not null references note (id) on delete cascade,
  person_id text not null references person (id) on delete cascade,
  workspace_id text not null references workspace (id) on delete cascade,
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (note_id, person_id)
);
create index mention_person on mention (person_id, workspace_id, created_at desc, note_id desc);
create index mention_workspace on mention (workspace_id);
create index mention_unread on mention (created_at) where read_at is null;

-- The mails to a person about mentions and assigned conversations of a workspace that they have not seen.
create table mail_digest (
  person_id text not null references person (id) on delete cascade,
  workspace_id text not null references workspace (id) on delete cascade,
  -- Everything up to here was told, or could not be.
  told_until timestamptz not null,
  -- The next mail is sent no earlier.
  next_at timestamptz not null,
  -- Failed mails in a row.
  faults integer not null default 0,
  primary key (person_id, workspace_id)
);
create index mail_digest_workspace on mail_digest (workspace_id);

create table saved_view (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  -- Null: shared with everybody in the workspace.
  person_id text references person (id) on delete cascade,
  name text not null,
  -- The filters of the list of conversations, as its query names them.
  filters jsonb not null,
  sort text not null check (sort in ('latest', 'waiting', 'sla_due')),
  -- Views are sorted by it, then by their age.
  place integer not null,
  created_by text not null,
  created_at timestamptz not null
);
create index saved_view_workspace on saved_view (workspace_id, place, id);
create index saved_view_person on saved_view (person_id) where person_id is not null;

-- Whether a person takes conversations in a workspace, and when they last got one.
create table inbox_agent (
  workspace_id text not null references workspace (id) on delete cascade,
  person_id text not null references person (id) on delete cascade,
  available boolean not null,
  changed_at timestamptz not null,
  last_assigned_at timestamptz,
  -- When the dashboard of the person was last open.
  seen_at timestamptz,
  primary key (workspace_id, person_id)
);
create index inbox_agent_person on inbox_agent (person_id);

-- One change of many conversations. The rows of conversation_action_item fix which ones, in the order of `number`.
create table conversation_action (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  person_id text references person (id) on delete cascade,
  -- The name in the audit log.
  actor text not null,
  change jsonb not null,
  status text not null check (status in ('waiting', 'running', 'aborted', 'done', 'undoing', 'undone')),
  total integer not null,
  -- Items that were handled, and those of them that changed something or were undone.
  done integer not null default 0,
  changed integer not null default 0,
  undone integer not null default 0,
  created_at timestamptz not null,
  -- A deletion waits until it can no longer be undone.
  starts_at timestamptz not null,
  finished_at timestamptz
);
create index conversation_action_workspace on conversation_action (workspace_id, created_at desc);
create index conversation_action_person on conversation_action (person_id) where person_id is not null;
create index conversation_action_unfinished on conversation_action (starts_at)
  where status in ('waiting', 'running', 'undoing');

create table conversation_action_item (
  action_id text not null references conversation_action (id) on delete cascade,
  number integer not null,
  -- No foreign key: the action may delete the conversation.
  conversation_id text not null,
  -- The changed fields before and after the change, to undo it.
  before jsonb,
  after jsonb,
  primary key (action_id, number)
);

-- The visitor's rating of one resolution of a conversation by a person; without a score while they have not answered.
create table conversation_rating (
  conversation_id text not null references conversation (id) on delete cascade,
  workspace_id text not null,
  -- The person who resolved it.
  person_id text references person (id) on delete set null,
  -- When it was resolved.
  asked_at timestamptz not null,
  score smallint check (score between 1 and 5),
  comment text,
  rated_at timestamptz,
  -- The message that asks; null if the widget or page asks.
  question_id text,
  -- Counts the resolutions of the conversation.
  number integer not null default 1,
  primary key (conversation_id, number)
);
create index conversation_rating_person on conversation_rating (person_id) where person_id is not null;

-- Files that agents attach to replies.
create table agent_file (
  id text primary key,
  workspace_id text not null references workspace (id) on delete cascade,
  conversation_id text not null references conversation (id) on delete cascade,
  -- Null until it is sent.
  message_id text references message (id) on delete cascade,
  -- Null if no person uploaded it, but the operator.
  person_id text references person (id) on delete set null,
  name text not null,
  content_type text not null,
  size integer not null,
  -- The secret in its link. Kept as it is, because messages and their parts contain the link.
  token text not null unique,
  created_at timestamptz not null
);
create index agent_file_workspace on agent_file (workspace_id);
create index agent_file_conversation on agent_file (conversation_id);
create index agent_file_message on agent_file (message_id) where message_id is not null;
create index agent_file_person on agent_file (person_id) where person_id is not null;
create index agent_file_unsent on agent_file (created_at) where message_id is null;

-- The bytes in parts, so that no single statement occupies the database for long.
create table agent_file_part (
  file_id text not null references agent_file (id) on delete cascade,
  part integer not null,
  bytes bytea not null,
  primary key (file_id, part)
);
-- Uncompressed: pictures and the like are compressed already.
alter table agent_file_part alter column bytes set storage external;

-- The words of a workspace in messages, notes, names, addresses and tags, by which its inbox finds beginnings, other forms
-- and misspelt words. Maintenance collects them (core/conversations/list/search-words.ts). A word goes with the conversation
-- that had it last, so that nothing of a deleted conversation stays.
create table search_word (
  workspace_id text not null references workspace (id) on delete cascade,
  -- Without capitals and diacritics, as searches compare it.
  folded text collate "C" not null,
  -- As it is written, in lower case.
  word text collate "C" not null,
  conversation_id text not null references conversation (id) on delete cascade,
  -- A word is written again once a week at most.
  seen_on date not null,
  -- Its hash in message.terms.
  term integer not null,
  -- One bit for each letter of `folded`, to skip words that are far from a misspelt one.
  letters integer not null,
  primary key (workspace_id, folded, word)
);
create index search_word_conversation on search_word (conversation_id);

-- Conversations of a workspace that changed later are not read for their words yet.
create table search_progress (
  workspace_id text primary key references workspace (id) on delete cascade,
  updated_until timestamptz not null,
  conversation_id text not null
);
