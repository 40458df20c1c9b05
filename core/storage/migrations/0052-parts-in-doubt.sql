-- Whether a part was taken by its platform nobody may have heard: it did not answer, or who had asked it is dead.
alter table outbound_part add column in_doubt boolean not null default false;

-- Who had a lane and is gone may have sent what comes first in it.
create function doubt_first_part(asked_channel text, asked_lane text)
returns void
language plpgsql
as $$
begin
  update outbound_part set in_doubt = true
  where number = (
    select number from outbound_part
    where channel_id = asked_channel and lane = asked_lane and status = 'waiting'
    order by number limit 1
  );
end
$$;

-- Whoever is done lets go of his lane: it is taken from one who is gone.
create function tell_of_abandoned_lane() returns trigger
language plpgsql
as $$
begin
  perform doubt_first_part(new.channel_id, new.lane);
  return null;
end
$$;
create trigger tell_of_abandoned_lane after update of sending on lane
  for each row
  when (old.sending is not null and new.sending is not null and old.sending <> new.sending)
  execute function tell_of_abandoned_lane();

-- As before, and tells whether the part is in doubt.
create or replace function next_part(asked_channel text, asked_lane text)
returns jsonb
language plpgsql
as $$
declare
  waiting jsonb;
begin
  select jsonb_build_object(
    'number', part.number::text, 'content', part.content, 'attempts', part.attempts, 'due_at', part.next_attempt_at,
    'since', part.created_at, 'author', part.author, 'draft', part.draft, 'message_id', part.message_id,
    'in_doubt', part.in_doubt,
    'address', lane.address, 'heard_at', lane.heard_at, 'opted_out', lane.opted_out, 'status', conversation.status
  )
  into waiting from outbound_part as part
  join lane on lane.channel_id = part.channel_id and lane.lane = part.lane
  join conversation on conversation.id = part.conversation_id
  where part.channel_id = asked_channel and part.lane = asked_lane and part.status = 'waiting'
  order by part.number limit 1;
  return waiting;
end
$$;
