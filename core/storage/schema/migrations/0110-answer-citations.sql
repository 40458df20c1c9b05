-- Which sentence of an answer rests on which passage: `Citation` in core/contract/answer.ts.
alter table message add column citations jsonb;
