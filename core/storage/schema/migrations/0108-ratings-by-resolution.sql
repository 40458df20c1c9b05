-- Each resolution of a conversation has a rating of its own, so that a later one does not delete an earlier score.
alter table conversation_rating add column number integer not null default 1;
alter table conversation_rating drop constraint conversation_rating_pkey;
alter table conversation_rating add primary key (conversation_id, number);
