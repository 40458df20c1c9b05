-- Deletions of webhooks, skills, snippets and tags can be taken back for a minute.
alter table webhook
  add column undo jsonb,
  add column restorable_until timestamptz;
create index webhook_restorable on webhook (restorable_until) where restorable_until is not null;

alter table http_skill
  add column undo jsonb,
  add column restorable_until timestamptz;
create index http_skill_restorable on http_skill (restorable_until) where restorable_until is not null;

alter table snippet
  add column undo jsonb,
  add column restorable_until timestamptz;
create index snippet_restorable on snippet (restorable_until) where restorable_until is not null;

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
