-- Where the changes of a source begin that its next run asks for, where a tool has such a feed.
alter table source add column feed jsonb;

-- step: transaction
alter table source_run add column feed jsonb;
alter table source_run add column lists_changes boolean not null default false;
