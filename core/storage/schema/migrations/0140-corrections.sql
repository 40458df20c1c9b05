-- Corrections of probabilities, fitted to answers that people judged.
alter table workspace add column correction jsonb;

create table correction_offer (
  workspace_id text primary key references workspace (id) on delete cascade,
  due_at timestamptz not null,
  refit jsonb,
  offered_at timestamptz,
  was_used boolean not null default false
);
