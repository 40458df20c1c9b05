-- Test questions that are conversations of several turns, and how their turns were played.
alter table test_question add column turns jsonb;
alter table test_question add column channel text;
alter table test_question add column last_turns jsonb;

-- step: transaction
alter table test_result add column turns jsonb;
