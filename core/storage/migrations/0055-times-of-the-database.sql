-- Conversations are listed by times that the processes give. One whose clock is ahead would put its conversations on top of
-- the list, and out of their place in the pages of it: a time that the database has not reached yet is not stored. A second
-- is left, as it takes that long at most from a process's clock to here. The same for all rows that one statement writes.
create function reached(asked timestamptz) returns timestamptz language sql stable as $$
  select case when asked > statement_timestamp() + interval '1 second' then statement_timestamp() else asked end
$$;

create function bound_conversation_times() returns trigger language plpgsql as $$
begin
  new.last_message_at := reached(new.last_message_at);
  new.started_at := reached(new.started_at);
  return new;
end
$$;

create trigger bound_conversation_times before insert or update of last_message_at on conversation
  for each row execute function bound_conversation_times();

create function bound_message_time() returns trigger language plpgsql as $$
begin
  new.created_at := reached(new.created_at);
  return new;
end
$$;

create trigger bound_message_time before insert on message
  for each row execute function bound_message_time();
