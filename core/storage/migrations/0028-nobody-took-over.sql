-- For what is stored with an answer: raises PY002 where a person has the conversation, or was asked for. Whoever stores the
-- answer holds the conversation's row by then, so nobody takes it over behind this.
create function require_nobody_took_over(asked_conversation text) returns boolean language plpgsql as $$
begin
  if exists (select from conversation where id = asked_conversation and status in ('claimed', 'escalated')) then
    raise exception 'a person took the conversation over' using errcode = 'PY002';
  end if;
  return true;
end
$$;
