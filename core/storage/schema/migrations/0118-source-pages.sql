-- What is left of a page after the blocks of its site were cut.
create table source_page (
  source_id text not null,
  key text not null,
  workspace_id text not null,
  text_hash text not null,
  blocks text[],
  copy_of text,
  primary key (source_id, key),
  foreign key (source_id, key) references source_item (source_id, key) on delete cascade
);
create index source_page_text on source_page (source_id, text_hash);
create index source_page_sample on source_page (source_id) where blocks is not null;
create index source_page_copies on source_page (source_id, copy_of) where copy_of is not null;
