-- Every key that exists keeps what it may do. A process of the version before makes keys with the same scopes.
alter table api_key
  add column scopes text[] not null default '{query,conversations:read,conversations:write}',
  add column workspaces text not null default 'owner' check (workspaces in ('own', 'owner'));
