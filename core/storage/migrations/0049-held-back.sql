-- Until when a platform takes nothing more of an account: what is seen of that is not what is merely spoken for.
alter table send_budget add column held_until timestamptz;
create index send_budget_held on send_budget (channel_id) where held_until is not null;
