-- Owners have an identity provider, sessions know how they began, and invitations are mailed.
create table sign_in_provider (
  id text primary key,
  owner_id text not null unique references owner (id) on delete cascade,
  name text not null,
  issuer text not null,
  client_id text not null,
  client_secret_encrypted text not null,
  domains text[] not null,
  default_role text not null check (default_role in ('agent', 'viewer')),
  enabled boolean not null,
  required boolean not null,
  tested_at timestamptz,
  tested_as text,
  test_fault text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

alter table person_session
  add column method text check (method in ('second_factor', 'passkey', 'provider')),
  add column owner_id text references owner (id) on delete cascade;

alter table member_link
  add column keeps_second_factor boolean not null default false,
  add column mails integer not null default 0,
  add column mailed_at timestamptz,
  add column mail_fault text;
