-- step: online
-- The search of the inbox reads the notes of a workspace.
create index concurrently if not exists note_workspace on note (workspace_id);
