-- Documents keep where they came from, and what a restore puts back after a deletion.
alter table document add column origin text;
alter table document add column undo jsonb;
alter table document add column restorable_until timestamptz;
