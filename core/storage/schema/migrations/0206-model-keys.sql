-- Keys of providers of language models that owners brought.
create table owner_model_key (
  id text primary key,
  owner_id text not null references owner (id) on delete cascade,
  provider text not null,
  key_encrypted text not null,
  last_four text not null,
  set_at timestamptz not null,
  set_by text not null,
  tried_at timestamptz not null,
  tried_model text not null,
  outcome text not null check (
    outcome in ('answered', 'key_refused', 'no_credit', 'unknown_model', 'rate_limited', 'unreachable', 'timeout', 'not_installed', 'failed')
  ),
  answer_ms integer not null,
  tokens integer not null,
  reason text,
  unique (owner_id, provider)
);
