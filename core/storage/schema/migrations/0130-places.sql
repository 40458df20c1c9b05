-- Where in its document a passage stands: `Place` in core/contract/place.ts.
alter table chunk add column place jsonb;

-- step: transaction
alter table indexing_passage add column place jsonb;
