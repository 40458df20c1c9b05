-- What goes with a workspace, or with a channel, is found by an index: it was looked for in the rows of all. Both take the
-- place of an index that there was, so that nothing more is written.
drop index audit_entry_conversation;
create index audit_entry_conversation on audit_entry (workspace_id, conversation_id, at, id);

drop index outbound_part_answers;
create index outbound_part_answers on outbound_part (channel_id, lane, created_at);
