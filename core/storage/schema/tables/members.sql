-- People who sign in to the dashboard, and what they may do.

-- person, person_session, person_account, person_verification, person_two_factor, person_passkey and sign_in_rate
-- have the shape of the sign-in library (better-auth), which reads and writes them.
create table person (
  id text primary key,
  -- Lower case.
  email text not null unique,
  name text not null,
  email_verified boolean not null default false,
  image text,
  two_factor_enabled boolean not null default false,
  -- May do everything that ADMIN_TOKEN may do for the installation, and nothing inside workspaces of others.
  is_operator boolean not null default false,
  -- Null: the language and the time zone of the browser.
  language text,
  time_zone text,
  theme text not null default 'auto' check (theme in ('auto', 'light', 'dark')),
  keys_enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- {"browser", "sound", "views"}: how the person is told of conversations that wait.
  notifications jsonb not null default '{}',
  -- By action: the keys that the person chose, or null for none.
  own_keys jsonb not null default '{}',
  -- Whether the person is mailed about mentions and assigned conversations that they have not seen.
  email_digest boolean not null default true
);

-- The cookie holds the token with a signature of the installation, so a copy of this table opens no session.
create table person_session (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Null: a password alone.
  method text check (method in ('second_factor', 'passkey', 'provider')),
  -- Not null: a sign-in at this owner's identity provider, which opens the workspaces of this owner only.
  owner_id text references owner (id) on delete cascade,
  -- When the person last proved who they are: at sign-in, or before something that cannot be undone. Null: not known.
  proven_at timestamptz
);
create index person_session_person on person_session (person_id);
create index person_session_expiry on person_session (expires_at);

-- A way to sign in: a password (provider_id `credential`), or an identity at a provider.
create table person_account (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  provider_id text not null,
  account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index person_account_person on person_account (person_id);
create unique index person_account_identity on person_account (provider_id, account_id);

create table person_verification (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index person_verification_identifier on person_verification (identifier);
create index person_verification_expiry on person_verification (expires_at);

create table person_two_factor (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  secret text not null,
  backup_codes text not null,
  verified boolean default true,
  failed_verification_count integer,
  locked_until timestamptz,
  -- The time step (RFC 6238) of the last code that was accepted. Codes up to it work no more.
  last_step bigint
);
create index person_two_factor_person on person_two_factor (person_id);

create table person_passkey (
  id text primary key,
  person_id text not null references person (id) on delete cascade,
  name text,
  public_key text not null,
  credential_id text not null unique,
  counter integer not null,
  device_type text not null,
  backed_up boolean not null,
  transports text,
  aaguid text,
  created_at timestamptz
);
create index person_passkey_person on person_passkey (person_id);

create table sign_in_rate (
  id text primary key,
  key text not null unique,
  count integer not null,
  last_request bigint not null
);

-- The key that signs cookies of sessions and encrypts second factors. One row, `current`.
create table sign_in_key (
  id text primary key,
  secret_encrypted text not null
);

-- Failed attempts by the hash of what they count against: the address of an account, known or unknown, a browser that has
-- signed in to it before, or a person who is signed in. The wait doubles with each failure.
create table sign_in_failure (
  email_hash text primary key,
  failures integer not null,
  locked_until timestamptz,
  updated_at timestamptz not null
);

-- The role of a person in the workspaces of an owner.
create table membership (
  person_id text not null references person (id) on delete cascade,
  owner_id text not null references owner (id) on delete cascade,
  role text not null check (role in ('owner', 'agent', 'viewer')),
  -- Null: all workspaces of the owner.
  workspace_ids text[],
  created_at timestamptz not null,
  primary key (person_id, owner_id)
);
create index membership_owner on membership (owner_id, created_at desc, person_id desc);

-- A link that works once: the first sign-in of an installation, an invitation, or a new password.
create table member_link (
  id text primary key,
  kind text not null check (kind in ('begin', 'invitation', 'recovery')),
  -- SHA-256 of the token in the link, lower-case hexadecimal.
  token_hash text not null unique,
  -- Null for the first link of an installation.
  email text,
  owner_id text references owner (id) on delete cascade,
  role text check (role in ('owner', 'agent', 'viewer')),
  workspace_ids text[],
  -- The name of the person or operator who made the link.
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- A mailed link for a new password leaves the second factor: a mailbox alone opens no account that has one.
  keeps_second_factor boolean not null default false,
  mails integer not null default 0,
  mailed_at timestamptz,
  -- In the words of the mail server.
  mail_fault text
);
create index member_link_owner on member_link (owner_id, created_at desc, id desc) where used_at is null;
create index member_link_expiry on member_link (expires_at);

-- The identity provider (OpenID Connect) of an owner.
create table sign_in_provider (
  id text primary key,
  owner_id text not null unique references owner (id) on delete cascade,
  -- On the button of the sign-in page.
  name text not null,
  issuer text not null,
  client_id text not null,
  client_secret_encrypted text not null,
  -- Lower case.
  domains text[] not null,
  default_role text not null check (default_role in ('agent', 'viewer')),
  enabled boolean not null,
  -- Whether members must sign in this way. Owners keep their passkey, or their password with a second factor.
  required boolean not null,
  -- Null: never, or not with the present issuer and client.
  tested_at timestamptz,
  -- The address that signed in with the last test, or the reason why it failed.
  tested_as text,
  test_fault text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Whether an address counts that the provider does not say anything about. One that it has not verified never does.
  trusts_addresses boolean not null default false
);

-- A key of a provider of language models that an owner brought, with what came of the last try.
create table owner_model_key (
  id text primary key,
  owner_id text not null references owner (id) on delete cascade,
  provider text not null,
  key_encrypted text not null,
  -- The last four characters of the key, to tell it from others.
  last_four text not null,
  set_at timestamptz not null,
  -- The name of the person or operator who set it.
  set_by text not null,
  tried_at timestamptz not null,
  -- As the provider names it.
  tried_model text not null,
  outcome text not null check (
    outcome in ('answered', 'key_refused', 'no_credit', 'unknown_model', 'rate_limited', 'unreachable', 'timeout', 'not_installed', 'failed')
  ),
  answer_ms integer not null,
  tokens integer not null,
  -- In the words of the provider, without the key.
  reason text,
  unique (owner_id, provider)
);

-- A domain that an owner claims for their provider. It counts once its DNS record has the token.
create table sign_in_domain (
  owner_id text not null references owner (id) on delete cascade,
  -- Lower case.
  domain text not null,
  -- The value of the TXT record. It is no secret.
  token text not null,
  claimed_at timestamptz not null,
  claimed_by text not null,
  -- Null: pending.
  verified_at timestamptz,
  verified_by text,
  -- The last check, and why it found no proof.
  checked_at timestamptz,
  fault text check (fault in ('no_record', 'other_record', 'unreachable')),
  primary key (owner_id, domain)
);
-- The first owner who proves a domain keeps it.
create unique index sign_in_domain_proven on sign_in_domain (domain) where verified_at is not null;

-- A server with agents who watch a workspace. Without a row here, triggers notify nobody: a notification makes commits
-- wait for each other. Each server refreshes its rows; those of a dead one expire.
create table agent_listener (
  workspace_id text not null references workspace (id) on delete cascade,
  process_id text not null,
  until timestamptz not null,
  primary key (workspace_id, process_id)
) with (fillfactor = 50);
