-- Domains of identity providers are proven by a DNS record. Those that were set up before are pending.
create table sign_in_domain (
  owner_id text not null references owner (id) on delete cascade,
  domain text not null,
  token text not null,
  claimed_at timestamptz not null,
  claimed_by text not null,
  verified_at timestamptz,
  verified_by text,
  checked_at timestamptz,
  fault text check (fault in ('no_record', 'other_record', 'unreachable')),
  primary key (owner_id, domain)
);
create unique index sign_in_domain_proven on sign_in_domain (domain) where verified_at is not null;
insert into sign_in_domain (owner_id, domain, token, claimed_at, claimed_by)
select distinct on (owner_id, domain) owner_id, domain, 'parley-' || replace(gen_random_uuid()::text, '-', ''),
       updated_at, 'upgrade'
from sign_in_provider cross join lateral unnest(domains) as domain;
-- Only an unproven provider speaks for the addresses of people who have nothing else.
update person set email_verified = false
where exists (select from person_account where person_id = person.id and provider_id <> 'credential')
  and not exists (
    select from person_account where person_id = person.id and provider_id = 'credential' and password is not null
  )
  and not exists (select from person_passkey where person_id = person.id);
