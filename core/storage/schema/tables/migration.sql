-- Written by core/storage/migrate.ts: 'baseline', each file of schema/migrations that these tables include, and the
-- hashes of the function and trigger files as they were last applied.
create table migration (
  name text primary key,
  applied_at timestamptz not null default now(),
  -- Of 'functions' and 'triggers' only: SHA-256, lower-case hexadecimal.
  hash text
);
