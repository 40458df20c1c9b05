alter table conversation
  -- What a skill asked the visitor for in the latest answer: {"skill", "state"}.
  add column awaited jsonb;
