-- Every key that exists is a live one and may be used from every address.
alter table api_key
  add column allowed_networks text[] not null default '{}',
  add column mode text not null default 'live' check (mode in ('live', 'test')),
  add column scopes_used jsonb not null default '{}';
