-- All triggers. This file runs after the functions, and again when it changes. A trigger that is removed here also
-- needs a migration that drops it.

-- Times and derived columns.

create or replace trigger bound_conversation_times before insert or update of last_message_at on conversation
  for each row execute function bound_conversation_times();

create or replace trigger bound_message_time before insert on message
  for each row execute function bound_message_time();

create or replace trigger bound_note_time before insert on note
  for each row execute function bound_message_time();

create or replace trigger bound_entry_time before insert on audit_entry
  for each row when (new.conversation_id is not null and new.at <> reached(new.at))
  execute function bound_entry_time();

create or replace trigger note_change after insert on audit_entry for each row execute function note_change();

create or replace trigger note_opinion after update of feedback_at on message
  for each row execute function note_opinion();

create or replace trigger note_visitor_channel before insert on conversation
  for each row when (new.channel in ('widget', 'hosted') and new.session_id is not null)
  execute function note_visitor_channel();

create or replace trigger note_customer after insert or update of customer_name, customer_email, customer_phone
  on conversation for each row execute function note_customer();

create or replace trigger note_own_skills after insert or delete or update of enabled on http_skill
  for each row execute function note_own_skills();

-- Deferred: the version changes with the commit, and a concurrent change waits for that commit alone. Constraint
-- triggers cannot be replaced, so it is dropped first.
drop trigger if exists note_corpus on document;
create constraint trigger note_corpus after update on document
  deferrable initially deferred for each row
  when (
    (old.revision, old.scope_id, old.title, old.url) is distinct from (new.revision, new.scope_id, new.title, new.url)
  )
  execute function note_corpus();

create or replace trigger date_part_status before update of status on outbound_part
  for each row
  when (old.status is distinct from new.status and new.status in ('delivered', 'read', 'failed', 'dead', 'withheld'))
  execute function date_part_status();

create or replace trigger tell_of_abandoned_lane after update of holder on lane
  for each row
  when (old.holder is not null and new.holder is not null and old.holder <> new.holder)
  execute function tell_of_abandoned_lane();

-- Erasure.

create or replace trigger erase_copies_of_conversation before delete on conversation
  for each row execute function erase_copies_of_conversation();

-- Notifications to the servers of open widgets and pages.

create or replace trigger visitor_reply after insert on message
  for each row when (new.role = 'agent') execute function tell_visitor_of_reply();

create or replace trigger visitor_status after update of status on conversation
  for each row when (
    old.status is distinct from new.status and new.channel in ('widget', 'hosted') and new.session_id is not null
  )
  execute function tell_visitor_of_status();

-- Webhook events.

create or replace trigger tell_of_conversation after insert on conversation
  for each row execute function tell_of_conversation();

create or replace trigger tell_of_message after insert on message
  for each row execute function tell_of_message();

create or replace trigger tell_of_feedback after update of feedback, feedback_comment on message
  for each row
  when (old.feedback is distinct from new.feedback or old.feedback_comment is distinct from new.feedback_comment)
  execute function tell_of_feedback();

create or replace trigger tell_of_rating after update of score, comment on conversation_rating
  for each row when (new.score is not null and (old.score, old.comment) is distinct from (new.score, new.comment))
  execute function tell_of_rating();

create or replace trigger tell_of_failed_message after update of status on outbound_part
  for each row
  when (old.status is distinct from new.status and new.status in ('failed', 'dead', 'withheld'))
  execute function tell_of_failed_message();

create or replace trigger tell_of_status after insert on audit_entry
  for each row when (new.action = 'status_changed') execute function tell_of_status();

create or replace trigger tell_of_document after update of status on document
  for each row
  when (new.status in ('indexed', 'failed')
        and (old.status <> new.status or old.wanted_revision <> new.wanted_revision))
  execute function tell_of_document();

-- News for agents.

create or replace trigger agent_conversation after insert or update or delete on conversation
  for each row execute function tell_agents_of_conversation();

create or replace trigger agent_part after update of status on outbound_part
  for each row
  when (old.status <> new.status and new.status in ('sent', 'delivered', 'read', 'failed', 'dead', 'withheld'))
  execute function tell_agents_of_part();

create or replace trigger agent_event after update of failure on inbound_event
  for each row when (old.failure is distinct from new.failure) execute function tell_agents_of_event();

create or replace trigger agent_document after insert or update or delete on document
  for each row execute function tell_agents_of_document();

create or replace trigger agent_new_channel after insert or delete on channel
  for each row execute function tell_agents_of_channel();

-- Not when a listener saves its place or the platform gives a sign of life, which happens all the time.
create or replace trigger agent_channel
  after update of name, settings, enabled, status, last_error, revision, verified_at, refused_at, first_message_at,
    first_answer_at on channel
  for each row
  when (
    (old.name, old.settings, old.enabled, old.status, old.last_error, old.revision, old.verified_at, old.refused_at,
     old.first_message_at, old.first_answer_at)
    is distinct from
    (new.name, new.settings, new.enabled, new.status, new.last_error, new.revision, new.verified_at, new.refused_at,
     new.first_message_at, new.first_answer_at)
  )
  execute function tell_agents_of_channel();

create or replace trigger agent_webhook after update of status on webhook_delivery
  for each row when (old.status <> new.status) execute function tell_agents_of_webhook();

create or replace trigger agent_entry after insert on audit_entry
  for each row when (new.conversation_id is null and new.workspace_id is not null)
  execute function tell_agents_of_entry();

create or replace trigger session_access after delete on person_session
  for each row execute function tell_of_access();

create or replace trigger member_access after update or delete on membership
  for each row execute function tell_of_access();
