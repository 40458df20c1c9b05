-- How an answer presents itself and where its text comes from: `Answer` in core/contract/answer.ts.
alter table message
  add column tier text check (tier in ('answer', 'maybe', 'none')),
  add column probability real,
  add column ai_generated boolean,
  add column quoted boolean,
  add column lead text;
