-- Indexes for lists of the inbox.
create table customer_search (
  conversation_id text primary key references conversation (id) on delete cascade,
  parts integer[] not null
);
create index customer_search_parts on customer_search using gin (parts);

-- step: online
create index concurrently if not exists conversation_priority
  on conversation (workspace_id, priority, last_message_at desc, id desc)
  where priority <> 'normal';

-- step: batches
-- The trigger note_customer keeps the rows of conversations that change meanwhile.
with batch as (
  select id, workspace_id, lower(concat_ws(' ', customer_name, customer_email, customer_phone)) as customer
  from conversation where id > :after order by id limit 500
  for key share
),
filled as (
  insert into customer_search (conversation_id, parts)
  select id, customer_parts(workspace_id, customer) from batch where customer <> ''
  on conflict do nothing
)
select max(id) as last from batch;
