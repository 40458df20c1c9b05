-- Entries of the audit log about an owner and all their workspaces, and an order of all entries of a workspace.
alter table audit_entry alter column workspace_id drop not null;
alter table audit_entry add column owner_id text references owner (id) on delete cascade;
alter table audit_entry
  add constraint audit_entry_scope check (num_nonnulls(workspace_id, owner_id) = 1) not valid;

-- step: online
alter table audit_entry validate constraint audit_entry_scope;
create index concurrently if not exists audit_entry_latest on audit_entry (workspace_id, at desc, id desc);
create index concurrently if not exists audit_entry_owner on audit_entry (owner_id, at desc, id desc)
  where owner_id is not null;
