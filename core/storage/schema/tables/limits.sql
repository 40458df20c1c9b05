-- Processes, rate limits, quotas and idempotency keys. Counters leave half of each page free, so that an update stays
-- on its page.

-- The processes that serve this database. Each writes `seen_at` every few seconds; a dead one's claims are void.
create table process (
  id text primary key,
  roles text[] not null default '{}',
  started_at timestamptz not null,
  seen_at timestamptz not null,
  -- What it tells the others: version, host, clock, disk, and when it last did its duties.
  facts jsonb not null default '{}'
);

-- Grows with each look at the database: a full disk refuses new pages, and still takes updates in place. Unlogged: its rows
-- mean nothing.
create unlogged table storage_probe (
  payload text not null
);
alter table storage_probe alter column payload set storage plain;

-- Requests of a key in the current minute and the current day (UTC).
create table key_usage (
  key_id text primary key references api_key (id) on delete cascade,
  minute_started_at timestamptz not null,
  minute_count integer not null,
  day date not null,
  day_count integer not null
) with (fillfactor = 50);

-- Outcomes of a key's requests on a day (UTC), added in batches by each process and deleted after 31 days.
create table key_day (
  key_id text not null references api_key (id) on delete cascade,
  day date not null,
  answered integer not null,
  low integer not null,
  errors integer not null,
  limited integer not null,
  primary key (key_id, day)
) with (fillfactor = 50);

-- Requests of a key that a process has in flight.
create table key_in_flight (
  key_id text not null references api_key (id) on delete cascade,
  process_id text not null,
  requests integer not null,
  -- The number of the process's last report; an older report that arrives later changes nothing.
  report bigint not null,
  -- How many admitted requests have ended, as far as the process has reported. The database counts the admitted ones: a
  -- process knows its requests in flight, but not how many of those being admitted will be.
  ended bigint not null default 0,
  primary key (key_id, process_id)
) with (fillfactor = 50);

-- Messages of an owner in a month, named by its first day (UTC).
create table owner_usage (
  owner_id text not null references owner (id) on delete cascade,
  month date not null,
  messages integer not null,
  primary key (owner_id, month)
) with (fillfactor = 50);

-- Rate limits by token bucket.
create table token_bucket (
  name text primary key,
  tokens double precision not null,
  updated_at timestamptz not null
) with (fillfactor = 50);

create table idempotent_request (
  key_id text not null references api_key (id) on delete cascade,
  idempotency_key text not null,
  -- SHA-256 of the operation and the body, lower-case hexadecimal.
  request_hash text not null,
  -- The request that holds the key: one that lost its claim must not complete its successor's.
  claim text not null,
  -- The process that works on it, until it is answered.
  process_id text not null,
  -- The response; null until it is answered.
  status integer,
  body text,
  created_at timestamptz not null,
  -- The conversation in the response: deleting it empties `body`.
  conversation_id text,
  primary key (key_id, idempotency_key)
);
create index idempotent_request_age on idempotent_request (created_at);
create index idempotent_request_conversation on idempotent_request (conversation_id)
  where conversation_id is not null;
