-- Where in its document a passage stands: `Place` in core/contract/answer.ts.
alter table chunk add column place jsonb;

-- step: transaction
alter table indexing_passage add column place jsonb;
