alter table lane
  -- It goes on with a conversation of another channel, for a visitor who is not there any more.
  add column continues boolean not null default false;

create index message_of_person on message (created_at) where role = 'agent';
