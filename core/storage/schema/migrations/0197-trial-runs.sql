-- Runs of the test questions that try a change set.
alter table test_run drop constraint test_run_reason_check;
alter table test_run add constraint test_run_reason_check check (reason in ('hand', 'nightly', 'change_set'));
alter table test_run add column change_set_id text references change_set (id) on delete cascade;
alter table test_run add column change_set_revision integer;

-- step: transaction
-- The answer without the change set, and the word of a person on the difference.
alter table test_result add column live jsonb;
alter table test_result add column verdict text check (verdict in ('better', 'fine', 'worse'));

-- step: online
create index concurrently if not exists test_run_change_set on test_run (change_set_id, created_at desc)
  where change_set_id is not null;
