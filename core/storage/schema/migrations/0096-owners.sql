-- The id of the person beside the name that they had. The name is free, so it proves nothing.
alter table audit_entry add column actor_id text;

-- step: transaction
-- The owners that may share the app of a channel. Children of other owners stop until their parent is lent to them.
alter table channel add column shareable_with text[] not null default '{}';
