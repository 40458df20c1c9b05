-- When an answer last began with the sentence that a machine answers; null again after a person had the conversation.
alter table conversation add column disclosed_at timestamptz;
