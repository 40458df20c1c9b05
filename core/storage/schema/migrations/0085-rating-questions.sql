-- Visitors of platforms are asked for a rating by a message, and answer with one.
alter table message add column purpose text;
alter table conversation_rating add column question_id text;
