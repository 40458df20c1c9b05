alter table message
  -- What a visitor thinks of an answer, in his own words where he said more, and when he last said so or took it back.
  add column feedback text check (feedback in ('up', 'down')),
  add column feedback_comment text,
  add column feedback_at timestamptz;
create index message_feedback on message (workspace_id, feedback, conversation_id) where feedback is not null;

create function tell_of_feedback() returns trigger
language plpgsql
as $$
begin
  if not exists (select from webhook where workspace_id = new.workspace_id and disabled_at is null) then
    return null;
  end if;
  perform tell_webhooks(new.workspace_id, conversation.id, 'message.feedback', new.feedback_at, json_build_object(
    'workspace_id', new.workspace_id, 'conversation_id', conversation.id, 'channel', conversation.channel,
    'message_id', new.id, 'value', new.feedback, 'comment', new.feedback_comment))
  from conversation where conversation.id = new.conversation_id;
  return null;
end
$$;
create trigger tell_of_feedback after update of feedback, feedback_comment on message
  for each row
  when (old.feedback is distinct from new.feedback or old.feedback_comment is distinct from new.feedback_comment)
  execute function tell_of_feedback();
