-- Indexes for lists of the inbox. The first one locks out writers until the end, so that no customer is missed.
create index conversation_priority on conversation (workspace_id, priority, last_message_at desc, id desc)
  where priority <> 'normal';

create table customer_search (
  conversation_id text primary key references conversation (id) on delete cascade,
  parts integer[] not null
);
-- As customer_parts does, which does not exist yet.
insert into customer_search (conversation_id, parts)
select id, array(
  select distinct hashtext(workspace_id || ' ' || substr(customer, start, 3))
  from generate_series(1, length(customer) - 2) as start
)
from conversation,
     lateral (select lower(concat_ws(' ', customer_name, customer_email, customer_phone)) as customer) as known
where customer <> '';
create index customer_search_parts on customer_search using gin (parts);
