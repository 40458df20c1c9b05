-- The words of a workspace, by which its inbox finds beginnings, other forms and misspelt words.
create table search_word (
  workspace_id text not null references workspace (id) on delete cascade,
  folded text collate "C" not null,
  word text collate "C" not null,
  conversation_id text not null references conversation (id) on delete cascade,
  seen_on date not null,
  term integer not null,
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
