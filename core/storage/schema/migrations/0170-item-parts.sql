-- The item that an attachment, or the rest of a very large page, belongs to.
alter table source_item add column part_of text;

-- step: online
create index concurrently if not exists source_item_parts on source_item (source_id, part_of) where part_of is not null;
