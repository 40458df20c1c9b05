-- How an item was found, and items that a run reads once more.
alter table source_run add column unlisted integer not null default 0;

alter table source_item
  add column origin text,
  add column retried_run integer,
  add constraint source_item_origin_check check (origin in ('list', 'feed', 'beyond')) not valid;

-- Sources from before read their whole site; new ones read what is below their start.
update source set settings = settings || '{"scope": "/**"}'::jsonb
  where kind = 'website' and not settings ? 'scope' and settings->>'url' ~ '^https?://[^/]+/.';

-- step: online
alter table source_item validate constraint source_item_origin_check;
create index concurrently if not exists source_item_variants on source_item (source_id, split_part(key, '?', 1))
  where strpos(key, '?') > 0;
