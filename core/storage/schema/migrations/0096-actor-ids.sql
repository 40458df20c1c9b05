-- The id of the person beside the name that they had. The name is free, so it proves nothing.
alter table audit_entry add column actor_id text;
