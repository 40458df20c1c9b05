-- When the dashboard of a person was last open.
alter table inbox_agent add column seen_at timestamptz;
