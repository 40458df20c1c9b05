-- Entra never says whether it has verified an address.
alter table sign_in_provider add column trusts_addresses boolean not null default false;
