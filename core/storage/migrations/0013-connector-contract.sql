alter table lane
  -- When the visitor was last heard of: some platforms let nobody speak long after that.
  add column heard_at timestamptz,
  -- What is shown of an answer that is not made yet: {"state", "numbers"}.
  add column draft jsonb;

alter table outbound_part
  -- Shown on the platform before it was stored: what it takes the place of.
  add column draft jsonb;
alter table outbound_part drop constraint outbound_part_status_check;
alter table outbound_part add constraint outbound_part_status_check
  -- Held: kept until the visitor asks for more.
  check (status in ('waiting', 'held', 'sent', 'delivered', 'read', 'failed', 'dead', 'withheld'));

-- What a connector asked to remember.
create table channel_memory (
  channel_id text not null references channel (id) on delete cascade,
  key text not null,
  value jsonb not null,
  at timestamptz not null,
  primary key (channel_id, key)
);
create index channel_memory_at on channel_memory (at);

-- As before, and what is only said when it is asked for is held.
create or replace function queue_parts(
  asked_channel text,
  asked_workspace text,
  asked_lane text,
  asked_conversation text,
  asked_message text,
  asked_author text,
  -- Of each {"content", "held", "draft"}.
  parts jsonb,
  asked_at timestamptz
)
returns void
language sql
as $$
  insert into outbound_part (channel_id, workspace_id, lane, conversation_id, message_id, part, author, content,
                             status, draft, created_at, next_attempt_at)
  select asked_channel, asked_workspace, asked_lane, asked_conversation, asked_message, ordinality - 1, asked_author,
         told.part -> 'content', case when (told.part ->> 'held')::boolean then 'held' else 'waiting' end,
         nullif(told.part -> 'draft', 'null'::jsonb), asked_at, asked_at
  from jsonb_array_elements(parts) with ordinality as told (part, ordinality)
  order by ordinality
$$;

-- As before, with when the visitor said what is answered.
drop function commit_channel_turn(text, text, text, text, text, text, jsonb, jsonb, bigint[], timestamptz);
create function commit_channel_turn(
  asked_channel text,
  asked_lane text,
  token text,
  asked_workspace text,
  asked_conversation text,
  asked_message text,
  asked_address jsonb,
  parts jsonb,
  numbers bigint[],
  asked_at timestamptz,
  asked_heard timestamptz
)
returns text
language plpgsql
as $$
begin
  update lane
  set conversation_id = asked_conversation, address = asked_address, reachable = true, draft = null,
      heard_at = greatest(heard_at, asked_heard)
  where channel_id = asked_channel and lane = asked_lane and answering = token;
  if not found then return 'lost'; end if;
  if exists (select from conversation where id = asked_conversation and status = 'claimed') then
    return 'taken_over';
  end if;
  perform queue_parts(asked_channel, asked_workspace, asked_lane, asked_conversation, asked_message, 'bot', parts,
                      asked_at);
  update inbound_event set handled_at = asked_at, native = 'null'
  where channel_id = asked_channel and number = any(numbers);
  return 'done';
end
$$;
