-- Why an answer is as it is: `DecisionRecord` in core/contract/answer.ts.
alter table message add column decision jsonb;
